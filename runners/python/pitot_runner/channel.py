"""Messages as runners/PROTOCOL.md lays them out: bytes of two descriptors on one side, kinds and bodies on the other."""

from __future__ import annotations

import json
import os
import struct
from collections import deque
from typing import Any, NoReturn

from . import console
from .process import in_forked_copies

MAXIMUM_MESSAGE = 256 * 2**20

# From the host.
LOAD, ATTACH, BEGIN, SCORE, END, ANSWER, SNAPSHOT, STOP = range(1, 9)
# To the host.
HELLO, LOADED, FAILED, ATTACHED, SCORED, PROGRESS, ASK, STATE = range(1, 9)

GARBAGE_STATUS = 70

_HEAD = struct.Struct('<IB')
_PROGRESS = struct.Struct('<II')


class Channel:
    """One reader, one writer, both in the thread that runs the model."""

    def __init__(self, arriving: int, leaving: int) -> None:
        self._arriving = open(arriving, 'rb', buffering=2**18)
        self._leaving = leaving
        self._waiting: deque[tuple[int, bytes]] = deque()
        self._is_copy = False
        in_forked_copies(self._leave_to_parent)

    def receive(self) -> tuple[int, bytes]:
        """The next message. The process ends when there is none any more."""
        return self._waiting.popleft() if self._waiting else self._read()

    def receive_answer(self) -> Any:
        """The answer to what was asked last; what the host has sent before it waits its turn."""
        while True:
            kind, body = self._read()
            if kind == ANSWER:
                return read_json(body)
            self._waiting.append((kind, body))

    def send(self, kind: int, *parts: bytes) -> None:
        if self._is_copy:
            # A process that the model forked has come back from the model's function: only the original answers.
            os._exit(0)
        length = sum(map(len, parts)) + 1
        self._write(b''.join((_HEAD.pack(length, kind), *parts)))

    def send_json(self, kind: int, value: Any) -> None:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(',', ':'))
        self.send(kind, text.encode('utf-8', 'replace'))

    def send_progress(self, batch: int, done: int) -> None:
        self.send(PROGRESS, _PROGRESS.pack(batch, done))

    def ask(self, question: Any) -> Any:
        self.send_json(ASK, question)
        return self.receive_answer()

    def _read(self) -> tuple[int, bytes]:
        head = self._arriving.read(_HEAD.size)
        if len(head) == 0:
            leave(0)
        if len(head) < _HEAD.size:
            leave(GARBAGE_STATUS)
        length, kind = _HEAD.unpack(head)
        if not 1 <= length <= MAXIMUM_MESSAGE or not LOAD <= kind <= STOP:
            leave(GARBAGE_STATUS)
        body = self._arriving.read(length - 1)
        if len(body) < length - 1:
            leave(GARBAGE_STATUS)
        return kind, body

    def _write(self, message: bytes) -> None:
        written = os.write(self._leaving, message)
        while written < len(message):
            written += os.write(self._leaving, memoryview(message)[written:])

    def _leave_to_parent(self) -> None:
        self._is_copy = True


def read_json(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        leave(GARBAGE_STATUS)


def leave(status: int) -> NoReturn:
    """Ends the process at once: whatever threads the model has started must not keep it."""
    console.flush()
    os._exit(status)
