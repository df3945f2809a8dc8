"""The source of a model comes in; its functions, checked, go out. None of them is called here."""

from __future__ import annotations

import inspect
import linecache
import os
import sys
import types
from typing import Any, Callable, NamedTuple

from .faults import explain

Function = Callable[..., Any]

_VERSION = '.'.join(map(str, sys.version_info[:3]))
_MOST_ARGUMENTS = 3


class LoadFailure(Exception):
    """The model is not one: `sentence` says why, for whoever sent it."""

    def __init__(self, sentence: str, trace: str | None = None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.trace = trace


class Action(NamedTuple):
    function: Function
    # 1: the record. 2: its slot as well. 3: its number in the stream as well.
    arity: int


class Model(NamedTuple):
    begin: Function | None
    end: Function | None
    # By input slot.
    actions: dict[int, Action]


def load_model(file: str, language: str, slots: list[dict[str, Any]]) -> Model:
    module = _import(file, _compile(file, _read(file), language))
    return Model(
        begin=_optional(module, 'begin', file),
        end=_optional(module, 'end', file),
        actions=_actions(module, file, slots),
    )


def _read(file: str) -> bytes:
    try:
        with open(file, 'rb') as source:
            return source.read()
    except OSError as error:
        raise LoadFailure(f'the source {file} of the model cannot be read: {error.strerror}') from None


def _compile(file: str, source: bytes, language: str) -> types.CodeType:
    try:
        return compile(source, file, 'exec', dont_inherit=True)
    except SyntaxError as error:
        place = f'{file}, line {error.lineno}' if error.lineno else file
        hint = ''
        if language != 'python3':
            hint = (
                f'. Models run with Python {_VERSION}: one written for Python 2 has to be converted to Python 3 first'
            )
        raise LoadFailure(f'the model does not compile as Python 3: {place}: {error.msg}{hint}') from None
    except ValueError as error:
        raise LoadFailure(f'the model does not compile: {file}: {error}') from None


def _import(file: str, code: types.CodeType) -> types.ModuleType:
    name = os.path.splitext(os.path.basename(file))[0]
    module = types.ModuleType(name)
    module.__file__ = os.path.abspath(file)
    _show_in_tracebacks(file)
    sys.modules[name] = module
    # Classes that were pickled where they were defined, in a script or a notebook, are looked for under this name.
    sys.modules['__main__'] = module
    try:
        exec(code, module.__dict__)
    except ModuleNotFoundError as error:
        reason, trace = explain(error)
        if error.name is None:
            raise LoadFailure(f'the model cannot be imported: {reason}', trace) from None
        raise LoadFailure(
            f'the model imports the module {error.name}, which Python {_VERSION} at {sys.executable} does not have: '
            'install it there, or attach it to the model',
            trace,
        ) from None
    except BaseException as error:
        reason, trace = explain(error)
        raise LoadFailure(f'the model cannot be imported: {reason}', trace) from None
    return module


def _show_in_tracebacks(file: str) -> None:
    """Tracebacks quote the source as it was loaded, whatever becomes of the file and the working folder."""
    with open(file, encoding='utf-8', errors='replace') as source:
        lines = source.readlines()
    linecache.cache[file] = (sum(map(len, lines)), None, lines, file)


def _actions(module: types.ModuleType, file: str, slots: list[dict[str, Any]]) -> dict[int, Action]:
    names = {each['slot']: each['action'] for each in slots if each['slot'] % 2 == 0}
    if not slots:
        names = {0: 'action'}
    actions = {slot: _action(module, name, slot, file) for slot, name in names.items() if name is not None}
    if not actions:
        raise LoadFailure(f'the model {file} uses none of its input slots: no function would ever be called')
    return actions


def _action(module: types.ModuleType, name: str, slot: int, file: str) -> Action:
    function = getattr(module, name, None)
    if not callable(function):
        what = 'has no function' if function is None else 'has something else than a function by the name'
        raise LoadFailure(f'the model {file} {what} {name}(datum), which takes the records of slot {slot}')
    _refuse_async(function, name, file)
    arity = _arity(function)
    if not 1 <= arity <= _MOST_ARGUMENTS:
        raise LoadFailure(
            f'the function {name} of {file} needs {arity} arguments: it can take the record, its slot and its number'
        )
    return Action(function, arity)


def _optional(module: types.ModuleType, name: str, file: str) -> Function | None:
    function = getattr(module, name, None)
    if not callable(function):
        return None
    _refuse_async(function, name, file)
    return function


def _refuse_async(function: Function, name: str, file: str) -> None:
    if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        raise LoadFailure(f'the function {name} of {file} is async: write it with def alone')


def _arity(function: Function) -> int:
    """What must be given. Arguments with a default are the model's own."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return 1
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    required = sum(each.kind in positional and each.default is inspect.Parameter.empty for each in parameters)
    takes_more = any(each.kind in (*positional, inspect.Parameter.VAR_POSITIONAL) for each in parameters)
    return 1 if required == 0 and takes_more else required
