"""The bytes of a batch come in; what the loop over its records needs to read them one by one goes out."""

from __future__ import annotations

import json.decoder
from collections.abc import Iterable
from itertools import repeat
from typing import Any, Callable, NamedTuple

Scan = Callable[[Any, int], tuple[Any, int]]


class Reading(NamedTuple):
    """`scan(text, start)` gives the value that begins there and where it ends; for a good frame that is `end`."""

    scan: Scan
    texts: Iterable[Any]
    starts: list[int]
    ends: Iterable[int]


class NotRead(ValueError):
    """A frame that is no record."""


def _refuse_word(word: str) -> Any:
    raise NotRead(f'expected JSON, found other text: {word} is no number of JSON')


# Python's own scanner, written in C: one call reads one value out of the text of a whole batch. The host writes numbers that
# JSON does not have as bare words; in what others have written they are no JSON.
_scan_json: Scan = json.decoder.JSONDecoder(parse_constant=_refuse_word).scan_once
_scan_words: Scan = json.decoder.JSONDecoder().scan_once


def read_json(data: memoryview, starts: list[int], ends: list[int]) -> Reading:
    """Frames as they came."""
    return _read_scanned(_scan_json, data, starts, ends)


def read_json_of_host(data: memoryview, starts: list[int], ends: list[int]) -> Reading:
    """Frames that the host has checked and written."""
    return _read_scanned(_scan_words, data, starts, ends)


def _read_scanned(scan: Scan, data: memoryview, starts: list[int], ends: list[int]) -> Reading:
    try:
        # In ASCII, which most data is, a character is a byte: the bounds of the frames hold for the text.
        return Reading(scan, repeat(str(data, 'ascii')), starts, ends)
    except UnicodeDecodeError:
        texts = _texts(data, starts, ends)
        lengths = [len(text) if text is not None else 0 for text in texts]
        return Reading(scan, texts, [0] * len(texts), lengths)


def read_text(data: memoryview, starts: list[int], ends: list[int]) -> Reading:
    return _as_they_are(_texts(data, starts, ends))


def read_bytes(data: memoryview, starts: list[int], ends: list[int]) -> Reading:
    return _as_they_are([bytes(data[start:end]) for start, end in zip(starts, ends)])


def _as_they_are(values: list[Any]) -> Reading:
    nothing = [0] * len(values)
    return Reading(lambda value, start: (value, -1 if value is None else start), values, nothing, repeat(0))


def _texts(data: memoryview, starts: list[int], ends: list[int]) -> list[str | None]:
    """None for a frame that is no UTF-8."""
    try:
        return [str(data[start:end], 'utf-8') for start, end in zip(starts, ends)]
    except UnicodeDecodeError:
        return [_text(data[start:end]) for start, end in zip(starts, ends)]


def _text(frame: memoryview) -> str | None:
    try:
        return str(frame, 'utf-8')
    except UnicodeDecodeError:
        return None


def read_carefully(text: str | None, start: int, end: int) -> list[Any]:
    """Of a frame that was not just one value: the value, or none for a blank frame. Raises NotRead for all else."""
    if text is None:
        raise NotRead('expected UTF-8, found other bytes')
    own = text[start:end].strip(' \t\r\n\ufeff')
    if own == '':
        return []
    try:
        return [json.loads(own, parse_constant=_refuse_word)]
    except NotRead:
        raise
    except json.JSONDecodeError as error:
        raise NotRead(f'expected JSON, found other text: {error.msg} at character {error.pos + 1}') from None
    except (ValueError, RecursionError) as error:
        raise NotRead(f'expected JSON that Python can hold: {error}') from None
