"""Values that models give come in, texts and bytes of frames go out."""

from __future__ import annotations

import json.encoder
import math
import re
from typing import Any, Callable, Union

from .tables import is_array, is_frame, is_missing, is_moment, records_of, values_of

Frame = Union[str, bytes]

_NOT_FINITE = {math.inf: '"Infinity"', -math.inf: '"-Infinity"'}
_WORDS = {None: 'null', False: 'false', True: 'true'}
_quoted = json.encoder.encode_basestring


class Unwritable(Exception):
    """A value that the stream of a slot has no way to carry."""

    step = 'encoding'


def write_json(value: Any) -> str:
    """The common case is left to Python's own encoder, written in C; whatever it refuses is looked at closer."""
    try:
        return ''.join(_encode(value, 0))
    except (ValueError, TypeError):
        pass
    return _text(value, 0)


class TypedWriter:
    """As `write_json`, for outputs with a schema: what JSON has no word for becomes what the schema says."""

    def __init__(self, schema: Any) -> None:
        self._schema = schema
        self._fit: Callable[[Any], Any] | None = None

    def __call__(self, value: Any) -> str:
        """Raises Unwritable for a date, a decimal or the like that the schema has no place for."""
        try:
            return ''.join(_encode(value, 0))
        except (ValueError, TypeError):
            pass
        if self._fit is None:
            from .logical import compile_fit

            self._fit = compile_fit(self._schema)
        return _text(self._fit(value), 0)


def write_raw(value: Any) -> Frame:
    """For streams that carry text or bytes as they are."""
    if isinstance(value, (str, bytes)):
        return value
    if isinstance(value, (bytearray, memoryview)):
        return bytes(value)
    raise Unwritable(f'expected a string or bytes for this stream, found {type_name(value)}')


def write_text(value: Any) -> Frame:
    if isinstance(value, str):
        return value
    raise Unwritable(f'expected a string for this stream, found {type_name(value)}')


def to_bytes(frame: Frame) -> bytes:
    if isinstance(frame, bytes):
        return frame
    try:
        return frame.encode()
    except UnicodeEncodeError:
        # Half of a surrogate pair is no character, but JSON can say it.
        return _HALF_PAIRS.sub(lambda half: f'\\u{ord(half[0]):04x}', frame).encode()


_HALF_PAIRS = re.compile('[\ud800-\udfff]')


def _default(value: Any) -> Any:
    """For Python's encoder: the same value in types that it knows."""
    if isinstance(value, (bytes, bytearray)):
        # Avro's JSON: one character per byte.
        return value.decode('latin-1')
    if isinstance(value, (set, frozenset)):
        return list(value)
    if is_missing(value):
        return None
    if is_frame(value):
        return records_of(value)
    if is_array(value) and not is_moment(value):
        return values_of(value)
    raise TypeError(f'a value of type {type_name(value)} cannot be written as JSON: convert it in the model')


_MAXIMUM_DEPTH = 900


def _text(value: Any, depth: int) -> str:
    """For what Python's encoder does not take: numbers that JSON has no digits for, decimals, dates, keys of other kinds."""
    if depth > _MAXIMUM_DEPTH:
        raise ValueError('the value is nested too deeply, or contains itself')
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, float):
        return float.__repr__(value) if math.isfinite(value) else _NOT_FINITE.get(value, '"NaN"')
    if value is None or isinstance(value, bool):
        return _WORDS[value]
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, dict):
        members = [f'{_quoted(_key(key))}:{_text(item, depth + 1)}' for key, item in value.items()]
        return f'{{{",".join(members)}}}'
    if isinstance(value, (list, tuple)):
        return f'[{",".join([_text(item, depth + 1) for item in value])}]'
    return _scalar_text(value) or _text(_default(value), depth + 1)


def _scalar_text(value: Any) -> str | None:
    from . import scalars

    if is_missing(value) or not scalars.is_scalar(value):
        return None
    return scalars.number_of(value) if isinstance(value, scalars.Decimal) else _quoted(scalars.text_of(value))


def _key(key: Any) -> str:
    if isinstance(key, str):
        return key
    if key is None or isinstance(key, bool):
        return _WORDS[key]
    if isinstance(key, (bytes, bytearray)):
        return key.decode('latin-1')
    from . import scalars

    if scalars.is_scalar(key):
        return scalars.text_of(key)
    return _key(values_of(key)) if is_array(key) else str(key)


def type_name(value: Any) -> str:
    kind = type(value)
    return kind.__name__ if kind.__module__ in ('builtins', '__main__') else f'{kind.__module__}.{kind.__name__}'


def _make_encoder() -> Any:
    """What `json.dumps` makes anew for each value. Circles end in a RecursionError, so that no record of them is kept."""
    encoder = json.encoder.JSONEncoder(
        check_circular=False, ensure_ascii=False, allow_nan=False, separators=(',', ':'), default=_default
    )
    make = json.encoder.c_make_encoder
    if make is None:
        return lambda value, level: (encoder.encode(value),)
    return make(None, _default, json.encoder.encode_basestring, None, ':', ',', False, False, False)


_encode = _make_encoder()
