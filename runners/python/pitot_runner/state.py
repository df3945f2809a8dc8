"""Cells and pools, which all jets of a job share: each call is a question to the host."""

from __future__ import annotations

import base64
import math
import pickle
import threading
from typing import Any, Callable

from .channel import Channel

# Whole numbers up to here survive a host that reads JSON numbers as doubles.
_EXACT = 2**53 - 1
_PICKLED = '$python'
_MARKS = (_PICKLED, '$r')


class SharedState:
    """What stands behind `pitot.cells` and `pitot.pools`."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._thread = threading.get_ident()

    def get(self, item: dict[str, str]) -> Any:
        return self._ask({'do': 'get', **item})

    def set(self, item: dict[str, str], value: Any) -> None:
        self._ask({'do': 'set', **item, 'value': pack(value)})

    def delete(self, item: dict[str, str]) -> None:
        self._ask({'do': 'set', **item})

    def update(self, item: dict[str, str], change: Callable[[Any], Any]) -> Any:
        """Nobody else can touch the item meanwhile. When `change` raises it keeps its value."""
        value = self._ask({'do': 'lock', **item})
        release = {'do': 'release', **item}
        try:
            value = change(value)
            release['value'] = pack(value)
        finally:
            self._ask(release)
        return value

    def _ask(self, question: dict[str, Any]) -> Any:
        if threading.get_ident() != self._thread:
            raise RuntimeError('cells and pools can be used only in the thread that runs begin, action and end')
        answer = self._channel.ask(question)
        if 'failed' in answer:
            raise RuntimeError(answer['failed'])
        return unpack(answer.get('value'))


class Cell:
    """One value by a name. `None` as long as nobody has set it."""

    def __init__(self, state: SharedState, name: str) -> None:
        self._state = state
        self._item = {'cell': str(name)}

    def get(self) -> Any:
        return self._state.get(self._item)

    def set(self, value: Any) -> None:
        self._state.set(self._item, value)

    @property
    def value(self) -> Any:
        return self.get()

    @value.setter
    def value(self, value: Any) -> None:
        self.set(value)

    def update(self, change: Callable[[Any], Any]) -> Any:
        """Sets what `change` makes of the value, and gives it."""
        return self._state.update(self._item, change)


class Pool:
    """Many values by keys. `None` for a key that nobody has set."""

    def __init__(self, state: SharedState, name: str) -> None:
        self._state = state
        self._name = str(name)

    def get(self, key: str) -> Any:
        return self._state.get(self._item(key))

    def set(self, key: str, value: Any) -> None:
        self._state.set(self._item(key), value)

    def update(self, key: str, change: Callable[[Any], Any]) -> Any:
        """Sets what `change` makes of the value of the key, and gives it."""
        return self._state.update(self._item(key), change)

    def delete(self, key: str) -> None:
        self._state.delete(self._item(key))

    __getitem__ = get
    __setitem__ = set
    __delitem__ = delete

    def _item(self, key: str) -> dict[str, str]:
        return {'pool': self._name, 'key': str(key)}


def pack(value: Any) -> Any:
    """JSON where that gives back the very same value, else a pickle: a tuple must not come back as a list."""
    try:
        if _is_json(value):
            return value
    except RecursionError:
        # It contains itself, which a pickle can say.
        pass
    return {_PICKLED: base64.b64encode(pickle.dumps(value)).decode('ascii')}


def unpack(value: Any) -> Any:
    if isinstance(value, dict) and len(value) == 1 and _PICKLED in value:
        return pickle.loads(base64.b64decode(value[_PICKLED]))
    return value


def _is_json(value: Any) -> bool:
    kind = type(value)
    if value is None or kind is bool:
        return True
    if kind is str:
        return value.isascii() or _is_text(value)
    if kind is int:
        return -_EXACT <= value <= _EXACT
    if kind is float:
        # A host may write 3.0 as 3.
        return math.isfinite(value) and not value.is_integer()
    if kind is list:
        return all(map(_is_json, value))
    if kind is dict:
        return not any(mark in value for mark in _MARKS) and all(
            _is_plain_key(key) and _is_json(item) for key, item in value.items()
        )
    return False


def _is_plain_key(key: Any) -> bool:
    """A host may put keys that look like numbers before the others."""
    return type(key) is str and not key.isdigit() and _is_json(key)


def _is_text(text: str) -> bool:
    try:
        text.encode()
        return True
    except UnicodeEncodeError:
        return False
