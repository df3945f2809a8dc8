"""Values that models give come in, texts and bytes of frames go out."""

from __future__ import annotations

import json.encoder
import math
import re
from typing import Any, Union

from .tables import is_array, is_frame, is_missing, records_of, values_of

Frame = Union[str, bytes]

_NOT_FINITE = {math.inf: 'Infinity', -math.inf: '-Infinity'}


class Unwritable(Exception):
    """A value that the stream of a slot has no way to carry."""


def write_json(value: Any) -> str:
    """The common case is left to Python's own encoder, written in C; whatever it refuses is looked at closer."""
    try:
        return ''.join(_encode(value, 0))
    except (ValueError, TypeError):
        pass
    return ''.join(_encode(_plain(value, 0), 0))


def write_raw(value: Any) -> Frame:
    """For streams that carry text or bytes as they are."""
    if isinstance(value, (str, bytes)):
        return value
    if isinstance(value, (bytearray, memoryview)):
        return bytes(value)
    raise Unwritable(f'expected a string or bytes for this stream, found {_name(value)}')


def write_text(value: Any) -> Frame:
    if isinstance(value, str):
        return value
    raise Unwritable(f'expected a string for this stream, found {_name(value)}')


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
    if is_array(value):
        return values_of(value)
    raise TypeError(f'a value of type {_name(value)} cannot be written as JSON: convert it in the model')


_MAXIMUM_DEPTH = 900


def _plain(value: Any, depth: int) -> Any:
    """A copy that Python's encoder takes: numbers that JSON has no digits for in words, keys as strings."""
    if depth > _MAXIMUM_DEPTH:
        raise ValueError('the value is nested too deeply, or contains itself')
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        if math.isfinite(value):
            return value
        return _NOT_FINITE.get(value, 'NaN')
    if isinstance(value, dict):
        return {_key(key): _plain(item, depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item, depth + 1) for item in value]
    return _plain(_default(value), depth + 1)


def _key(key: Any) -> Any:
    if key is None or isinstance(key, (str, int)):
        return key
    if isinstance(key, bytes):
        return key.decode('latin-1')
    return values_of(key) if is_array(key) else str(key)


def _name(value: Any) -> str:
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
