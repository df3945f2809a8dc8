"""One message after another: the host asks, the model is loaded and run, the answer goes back."""

from __future__ import annotations

import atexit
import gc
import os
import struct
import sys
from typing import Any, NoReturn

from . import channel as messages
from . import console, interface, recordsets
from .channel import Channel
from .model import LoadFailure, load_model
from .scoring import Scorer
from .slots import Slots
from .state import SharedState

PROTOCOL = 1

_BATCH = struct.Struct('<I')


class Server:
    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._slots = Slots([])
        self._scorer: Scorer | None = None

    def serve(self) -> NoReturn:
        """Until the host says stop. Messages are answered in the order in which they come."""
        self._channel.send_json(
            messages.HELLO,
            {
                'protocol': PROTOCOL,
                'runner': 'python',
                'version': '.'.join(map(str, sys.version_info[:3])),
                'pid': os.getpid(),
                'form': 'json',
            },
        )
        while True:
            kind, body = self._channel.receive()
            if kind == messages.SCORE:
                self._answer(self._loaded().score(body))
            elif kind == messages.BEGIN:
                self._answer(self._loaded().begin(*_BATCH.unpack(body)))
            elif kind == messages.END:
                self._answer(self._loaded().end(*_BATCH.unpack(body)))
            elif kind == messages.LOAD:
                self._load(messages.read_json(body))
            elif kind == messages.ATTACH:
                attach = messages.read_json(body)
                self._slots.attach(attach['slot'], attach['stream'])
                self._channel.send(messages.ATTACHED)
            elif kind == messages.SNAPSHOT:
                # All that Python models keep by name is shared, and so with the host already.
                self._channel.send_json(messages.STATE, {'cells': {}, 'pools': {}})
            elif kind == messages.STOP:
                # What the model has registered for the end is done; threads that it has left running are not waited for.
                try:
                    atexit._run_exitfuncs()
                finally:
                    messages.leave(0)

    def _load(self, load: Any) -> None:
        self._slots = Slots(load['slots'])
        interface.offer(SharedState(self._channel), self._emit)
        if any(each['recordsets'] and each['slot'] % 2 == 0 for each in load['slots']):
            # Now, not with the first records.
            recordsets.library('pandas')
        try:
            model = load_model(load['file'], load['language'], load['slots'])
        except LoadFailure as failure:
            console.flush()
            trace = {} if failure.trace is None else {'trace': failure.trace}
            self._channel.send_json(messages.FAILED, {'sentence': failure.sentence, **trace})
            return
        self._scorer = Scorer(model, self._slots, self._channel.send_progress)
        # What is there now stays: the garbage collector need not look at it again and again.
        gc.freeze()
        console.flush()
        self._channel.send_json(messages.LOADED, {'slots': load['slots'], 'snapshots': 'none', 'warnings': []})

    def _emit(self, value: Any, slot: int | None) -> None:
        if self._scorer is None:
            raise RuntimeError('emit can be called only while begin, action or end is running')
        self._scorer.emit(value, slot)

    def _loaded(self) -> Scorer:
        if self._scorer is None:
            messages.leave(messages.GARBAGE_STATUS)
        return self._scorer

    def _answer(self, scored: list[bytes]) -> None:
        console.flush()
        self._channel.send(messages.SCORED, *scored)
