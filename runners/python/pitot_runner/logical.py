"""An Avro schema comes in; what makes of dates, times, decimals and UUIDs the values that it means goes out.

Everything else is left as it is: the host checks all outputs.
"""

from __future__ import annotations

import math
from typing import Any, Callable, NamedTuple, Optional

from .scalars import (
    Decimal,
    days_of,
    is_scalar,
    nanoseconds_of_day,
    nanoseconds_since_1970,
    text_of,
    unscaled_of,
)
from .schemas import NAMED, full_name, name_of, namespace_of, tag_of
from .tables import is_array, is_frame, is_missing, records_of, values_of
from .writing import Unwritable, type_name

Fit = Callable[[Any], Any]
# What stands for a date, a decimal or the like; None where nothing does.
Take = Callable[[Any], Optional[Any]]


def compile_fit(schema: Any) -> Fit:
    """The function given back raises Unwritable."""
    fit = _Compiler().of(schema, '')

    def fit_or_refuse(value: Any) -> Any:
        try:
            return fit(value)
        except _Misfit as misfit:
            raise _Refused(misfit.sentence()) from None

    return fit_or_refuse


class _Refused(Unwritable):
    step = 'schema'


class _Misfit(Exception):
    """On its way out of nested values: each level adds its key, so the innermost comes first."""

    def __init__(self, expected: str, value: Any, hint: str = '') -> None:
        super().__init__()
        self._expected = expected
        self._value = value
        self._hint = hint
        self._keys: list[str] = []

    def inside(self, key: Any) -> _Misfit:
        self._keys.append(str(key).replace('~', '~0').replace('/', '~1'))
        return self

    def sentence(self) -> str:
        place = f'at /{"/".join(reversed(self._keys))}: ' if self._keys else ''
        found = f'{type_name(self._value)} {str(self._value)[:60]}'
        return f'{place}expected {self._expected}, found {found}{self._hint}'


class _Branch(NamedTuple):
    """One of a union. Of those that take a value the one with the lowest rank is meant."""

    tag: str
    kind: str
    rank: int
    fit: Fit
    fields: frozenset[str]


class _Compiler:
    """Named types may be referred to later, by themselves too."""

    def __init__(self) -> None:
        self._named: dict[str, Fit] = {}
        self._schemas: dict[str, Any] = {}

    def of(self, schema: Any, namespace: str) -> Fit:
        if isinstance(schema, list):
            return self._of_union(schema, namespace)
        if isinstance(schema, str):
            return self._named.get(full_name(schema, namespace)) or _leaf({'type': schema})
        kind = schema['type']
        if not isinstance(kind, str):
            return self.of(kind, namespace)
        if kind == 'array':
            return _of_array(self.of(schema['items'], namespace))
        if kind == 'map':
            return _of_map(self.of(schema['values'], namespace))
        if kind not in NAMED:
            return self._named.get(full_name(kind, namespace)) or _leaf(schema)
        name = name_of(schema, namespace)
        self._schemas[name] = schema
        if kind in ('record', 'error'):
            return self._of_record(schema, name)
        self._named[name] = _leaf({**schema, 'name': name})
        return self._named[name]

    def _of_record(self, schema: Any, name: str) -> Fit:
        fits: dict[str, Fit] = {}

        def fit(value: Any) -> Any:
            if isinstance(value, dict):
                return {key: _member(fits.get(key, _as_it_is), key, item) for key, item in value.items()}
            return _no_scalar(value, f'a record {name}')

        self._named[name] = fit
        for each in schema.get('fields', ()):
            fits[each['name']] = self.of(each['type'], namespace_of(name))
        return fit

    def _of_union(self, schemas: list[Any], namespace: str) -> Fit:
        all_branches = [self._branch(each, namespace) for each in schemas]
        branches = [each for each in all_branches if each.kind != 'null']
        expected = f'one of {_one_of([each.tag for each in all_branches])}'
        is_tagged = len(branches) > 1

        def fit(value: Any) -> Any:
            if value is None or is_missing(value):
                return None
            if is_scalar(value):
                branch, fitted = _best(branches, value, expected)
            else:
                if isinstance(value, dict) and len(value) == 1:
                    tag, inner = next(iter(value.items()))
                    for each in branches:
                        if each.tag == tag:
                            return {tag: each.fit(inner)}
                branch = next((each for each in branches if _looks_like(each, value)), None)
                if branch is None:
                    return value
                fitted = branch.fit(value)
            return {branch.tag: fitted} if is_tagged else fitted

        return fit

    def _branch(self, schema: Any, namespace: str) -> _Branch:
        fit, tag = self.of(schema, namespace), tag_of(schema, namespace)
        whole = self._schemas.get(tag, schema)
        while isinstance(whole, dict) and isinstance(whole['type'], dict):
            whole = whole['type']
        whole = whole if isinstance(whole, dict) else {'type': whole}
        kind = whole['type']
        rank = 0 if _logical(whole) is not None else 1 if kind in _NUMBERS else 2
        return _Branch(tag, kind, rank, fit, frozenset(each['name'] for each in whole.get('fields', ())))


def _best(branches: list[_Branch], value: Any, expected: str) -> tuple[_Branch, Any]:
    for branch in sorted(branches, key=lambda each: each.rank):
        try:
            return branch, branch.fit(value)
        except _Misfit:
            pass
    raise _Misfit(expected, value)


def _looks_like(branch: _Branch, value: Any) -> bool:
    if branch.kind == 'array':
        return _items(value) is not None
    if not isinstance(value, dict):
        return False
    return branch.kind == 'map' or (branch.kind in ('record', 'error') and branch.fields.issuperset(value))


def _of_array(of_item: Fit) -> Fit:
    def fit(value: Any) -> Any:
        items = _items(value)
        if items is None:
            return _no_scalar(value, 'an array')
        return [_member(of_item, index, item) for index, item in enumerate(items)]

    return fit


def _of_map(of_value: Fit) -> Fit:
    def fit(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: _member(of_value, key, item) for key, item in value.items()}
        return _no_scalar(value, 'a map')

    return fit


def _member(fit: Fit, key: Any, value: Any) -> Any:
    try:
        return fit(value)
    except _Misfit as misfit:
        raise misfit.inside(key)


def _items(value: Any) -> list[Any] | None:
    """Of what becomes an array; None for all else."""
    if isinstance(value, (list, tuple, set, frozenset)):
        return list(value)
    if is_frame(value):
        return records_of(value)
    if is_array(value) and not is_scalar(value):
        values = values_of(value)
        return values if isinstance(values, list) else None
    return None


def _no_scalar(value: Any, expected: str) -> Any:
    """Its text must not be taken for something that it is not."""
    if is_missing(value) or not is_scalar(value):
        return value
    raise _Misfit(expected, value)


def _as_it_is(value: Any) -> Any:
    return value


def _leaf(schema: Any) -> Fit:
    kind = schema['type']
    logical = _logical(schema)
    expected, take = (_expected(schema), _TAKES.get(kind, _take_none)) if logical is None else logical

    def fit(value: Any) -> Any:
        if isinstance(value, (str, int, float)) or value is None or is_missing(value) or not is_scalar(value):
            return value
        fitted = take(value)
        if fitted is None:
            hint = '' if logical or kind not in ('int', 'long') or isinstance(value, Decimal) else _HINT
            raise _Misfit(expected, value, hint)
        return fitted

    return fit


_HINT = '; say in the schema which logical type is meant, or convert it in the model'
_NUMBERS = ('int', 'long', 'float', 'double')


def _expected(schema: Any) -> str:
    kind = schema['type']
    if kind == 'fixed':
        return f'{schema["size"]} bytes for {schema["name"]}'
    if kind == 'enum':
        return f'a symbol of {schema["name"]}'
    return kind if kind in ('bytes', 'null') else f'an {kind}' if kind == 'int' else f'a {kind}'


def _take_none(value: Any) -> Any:
    return None


def _whole(value: Any) -> int | None:
    # Beyond 64 bits it is none in any case, and writing out a large exponent would take for ever.
    is_whole = isinstance(value, Decimal) and value.is_finite() and value.adjusted() < 20 and value == value.to_integral()
    return int(value) if is_whole else None


def _real(value: Any) -> float | None:
    return float(value) if isinstance(value, Decimal) and not value.is_snan() else None


# Without a logical type.
_TAKES: dict[str, Take] = {'int': _whole, 'long': _whole, 'float': _real, 'double': _real, 'string': text_of}


def _times(unit: int) -> Take:
    """What is finer than the unit is cut off."""

    def take(value: Any) -> int | None:
        nanoseconds = nanoseconds_of_day(value)
        return None if nanoseconds is None else nanoseconds // unit

    return take


def _timestamps(unit: int, is_local: bool) -> Take:
    def take(value: Any) -> int | None:
        nanoseconds = nanoseconds_since_1970(value, is_local)
        return None if nanoseconds is None else nanoseconds // unit

    return take


_TIME = 'a time of day without an offset'
_INSTANT = 'a date and time'
_LOGICAL: dict[tuple[str, str], tuple[str, Take]] = {
    ('int', 'date'): ('a date', days_of),
    ('int', 'time-millis'): (_TIME, _times(10**6)),
    ('long', 'time-micros'): (_TIME, _times(1000)),
    ('long', 'timestamp-millis'): (_INSTANT, _timestamps(10**6, False)),
    ('long', 'timestamp-micros'): (_INSTANT, _timestamps(1000, False)),
    ('long', 'timestamp-nanos'): (_INSTANT, _timestamps(1, False)),
    ('long', 'local-timestamp-millis'): (_INSTANT, _timestamps(10**6, True)),
    ('long', 'local-timestamp-micros'): (_INSTANT, _timestamps(1000, True)),
    ('long', 'local-timestamp-nanos'): (_INSTANT, _timestamps(1, True)),
    ('string', 'uuid'): ('a UUID', text_of),
}


def _logical(schema: Any) -> tuple[str, Take] | None:
    """None where there is no logical type, or one that Avro ignores: then the type beneath counts alone."""
    kind, name, size = schema['type'], schema.get('logicalType'), schema.get('size')
    if name == 'decimal' and kind in ('bytes', 'fixed'):
        return _decimal(schema.get('precision'), schema.get('scale', 0), size)
    if name == 'uuid' and kind == 'fixed' and size == 16:
        return 'a UUID', lambda value: getattr(value, 'bytes', None)
    return _LOGICAL.get((kind, name)) if isinstance(name, str) else None


def _decimal(precision: Any, scale: Any, size: int | None) -> tuple[str, Take] | None:
    digits = math.inf if size is None else math.floor((8 * size - 1) * math.log10(2))
    if type(precision) is not int or type(scale) is not int or not 0 < precision <= digits or not 0 <= scale <= precision:
        return None
    expected = f'a decimal of {precision} digits, {scale} of them behind the point'
    return expected, lambda value: unscaled_of(value, precision, scale, size)


def _one_of(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f'{", ".join(words[:-1])} or {words[-1]}'
