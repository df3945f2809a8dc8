"""What a model emits for one batch, frame by frame; at the end the body of the message `scored`."""

from __future__ import annotations

import base64
import json
import struct
import sys
from array import array
from collections.abc import Iterable
from itertools import accumulate, repeat
from operator import add, sub
from typing import Any

from .writing import Frame, Unwritable, to_bytes, write_json

NO_FRAME = 0xFFFFFFFF
END_OF_SET = 0x8000

_HEAD = struct.Struct('<IIII5d')


class Emissions:
    """`frames` and `indexes` go side by side. Slots are noted only where they are not the usual one."""

    def __init__(self, usual_slot: int) -> None:
        self.frames: list[Frame] = []
        self.indexes: list[int] = []
        self.rejects: list[dict[str, Any]] = []
        self._usual_slot = usual_slot
        self._unusual: list[tuple[int, int]] = []

    def add(self, slot: int, frame: Frame, index: int) -> None:
        if slot != self._usual_slot:
            self._unusual.append((len(self.frames), slot))
        self.frames.append(frame)
        self.indexes.append(index)

    def end_set(self, slot: int, index: int) -> None:
        self.add(slot | END_OF_SET, '', index)

    def drop_from(self, position: int) -> None:
        """What a record had emitted before the model raised on it."""
        del self.frames[position:]
        del self.indexes[position:]
        while self._unusual and self._unusual[-1][0] >= position:
            self._unusual.pop()

    def reject(self, index: int, step: str, reason: str, **more: Any) -> None:
        self.rejects.append({'index': index, 'step': step, 'reason': reason, **more})

    def refuse(self, index: int, slot: int, refusal: Unwritable, value: Any) -> None:
        """One output that its stream cannot carry; the record and its other outputs are not at fault."""
        shown = base64.b64encode(to_bytes(write_json(value))).decode('ascii')
        self.reject(index, refusal.step, str(refusal), slot=slot, bytes=shown)

    def message(self, batch: int, consumed: int, decode: float, model: float, encode: float, room: int) -> list[bytes]:
        """`room` bytes are left free behind each frame, for the envelope to write into."""
        count = len(self.frames)
        data, lengths = _joined(self.frames, '\n' * room)
        rejects = json.dumps(self.rejects).encode() if self.rejects else b''
        return [
            _HEAD.pack(batch, consumed, count, len(rejects), decode, 0.0, model, 0.0, encode),
            _little_endian(array('I', self.indexes)),
            _little_endian(_bounds(lengths, count, room)),
            _little_endian(self._slots(count)),
            b'\0\0' if count % 2 else b'',
            data,
            rejects,
        ]

    def _slots(self, count: int) -> array[int]:
        slots = array('H', [self._usual_slot]) * count
        for position, slot in self._unusual:
            slots[position] = slot
        return slots


def _joined(frames: list[Frame], gap: str) -> tuple[bytes, Iterable[int]]:
    if not frames:
        return b'', ()
    try:
        text = gap.join(frames) + gap  # type: ignore[arg-type]
        data = text.encode()
        if len(data) == len(text):
            return data, map(len, frames)
    except (TypeError, UnicodeEncodeError):
        pass
    pieces = [to_bytes(frame) for frame in frames]
    between = gap.encode()
    return between.join(pieces) + between, map(len, pieces)


def _bounds(lengths: Iterable[int], count: int, room: int) -> array[int]:
    """Start and end of each frame, without a step in Python for each."""
    behind = list(accumulate(map(add, lengths, repeat(room))))
    bounds = array('I', bytes(8 * count))
    if count > 0:
        bounds[0::2] = array('I', [0, *behind[:-1]])
        bounds[1::2] = array('I', map(sub, behind, repeat(room)))
    return bounds


def _little_endian(numbers: array[int]) -> bytes:
    if sys.byteorder == 'big':
        numbers.byteswap()
    return numbers.tobytes()
