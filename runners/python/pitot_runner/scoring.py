"""The loop over the records of a batch: a record costs a call of the scanner, the model and the encoder, and little else."""

from __future__ import annotations

import struct
import sys
from array import array
from time import perf_counter
from types import GeneratorType
from typing import Any, Callable

from . import recordsets
from .emissions import NO_FRAME, Emissions
from .faults import explain
from .model import Action, Function, Model
from .process import in_forked_copies
from .reading import NotRead, read_carefully
from .slots import Slots
from .writing import Unwritable

_HEAD = struct.Struct('<IHHIIQ')
_IS_RECORDSET = 1
_SECONDS_OF_SILENCE = 0.1


class Scorer:
    """Calls the functions of one model and collects what they emit."""

    def __init__(self, model: Model, slots: Slots, progress: Callable[[int, int], None]) -> None:
        self._model = model
        self._slots = slots
        self._progress = progress
        self._emissions: Emissions | None = None
        self._index = NO_FRAME
        self._starts: list[int] = []
        in_forked_copies(self._score_no_more)

    def begin(self, batch: int) -> list[bytes]:
        return self._call_once(batch, self._model.begin)

    def end(self, batch: int) -> list[bytes]:
        return self._call_once(batch, self._model.end)

    def score(self, body: bytes) -> list[bytes]:
        """Takes the body of a message `score`, gives that of `scored`."""
        batch, slot, flags, count, extra, first = _HEAD.unpack_from(body)
        data_from = _HEAD.size + 8 * count + extra
        bounds = array('I', body[_HEAD.size : _HEAD.size + 8 * count])
        if sys.byteorder == 'big':
            bounds.byteswap()
        starts, ends = bounds[0::2].tolist(), bounds[1::2].tolist()
        reading = self._slots.reader(slot)(memoryview(body)[data_from:], starts, ends)
        action = self._model.actions.get(slot)
        if action is None:
            return self._refuse_all(batch, slot, count)
        if flags & _IS_RECORDSET:
            return self._score_set(batch, action, slot, first, reading, count)
        if self._slots.takes_sets(slot):
            action = _of_single_rows(action)
        return self._score_each(batch, action, slot, first, reading)

    def emit(self, value: Any, slot: int | None = None) -> None:
        """For models that call `pitot.emit` instead of yielding."""
        if self._emissions is None:
            raise RuntimeError('emit can be called only while begin, action or end is running')
        self._slots.emit(self._emissions, value, self._index, slot)

    def _score_each(self, batch: int, action: Action, slot: int, first: int, reading: Any) -> list[bytes]:
        usual = self._slots.usual_output
        emissions = self._emissions = Emissions(usual)
        keep, note, refuse = emissions.frames.append, emissions.indexes.append, emissions.refuse
        write, is_simple, emit = self._slots.usual_writer, self._slots.is_simple, self._slots.emit
        function, arity = action
        scan, texts, starts, ends = reading
        to_bytes = self._slots.bytes_of(slot)
        self._starts = starts
        consumed = 0
        decoding = scoring = encoding = 0.0
        index = -1
        now = perf_counter()
        silent_until = now + _SECONDS_OF_SILENCE
        # `starts` comes first: it is what ends the loop in a process that the model has forked.
        for start, end, text in zip(starts, ends, texts):
            index += 1
            if now > silent_until:
                self._progress(batch, index)
                silent_until = now + _SECONDS_OF_SILENCE
            try:
                value, stop = scan(text, start)
            except (StopIteration, ValueError, RecursionError, TypeError):
                stop = -1
            if stop != end:
                values = _second_look(emissions, index, text, start, end)
                if not values:
                    continue
                value = values[0]
            consumed += 1
            self._index = index
            then, now = now, perf_counter()
            decoding += now - then
            before = len(emissions.frames)
            try:
                if to_bytes is not None:
                    value = to_bytes(value)
                if arity == 1:
                    result = function(value)
                elif arity == 2:
                    result = function(value, slot)
                else:
                    result = function(value, slot, first + index)
                if result is not None:
                    if type(result) is GeneratorType:
                        for output in result:
                            then, now = now, perf_counter()
                            scoring += now - then
                            if is_simple:
                                try:
                                    keep(write(output))
                                    note(index)
                                except Unwritable as refusal:
                                    refuse(index, usual, refusal, output)
                            else:
                                emit(emissions, output, index)
                            then, now = now, perf_counter()
                            encoding += now - then
                    else:
                        then, now = now, perf_counter()
                        scoring += now - then
                        if is_simple:
                            try:
                                keep(write(result))
                                note(index)
                            except Unwritable as refusal:
                                refuse(index, usual, refusal, result)
                        else:
                            emit(emissions, result, index)
                        then, now = now, perf_counter()
                        encoding += now - then
                        continue
            except BaseException as error:
                _reject(emissions, before, index, error)
            then, now = now, perf_counter()
            scoring += now - then
        self._emissions = None
        return emissions.message(batch, consumed, decoding, scoring, encoding, self._slots.room)

    def _score_set(self, batch: int, action: Action, slot: int, first: int, reading: Any, count: int) -> list[bytes]:
        """The records of the whole batch are one argument. Everything that is emitted stands behind the last of them."""
        emissions = Emissions(self._slots.usual_output)
        scan, texts, starts, ends = reading
        records: list[Any] = []
        indexes: list[int] = []
        began = perf_counter()
        for index, (start, end, text) in enumerate(zip(starts, ends, texts)):
            try:
                value, stop = scan(text, start)
            except (StopIteration, ValueError, RecursionError, TypeError):
                stop = -1
            values = [value] if stop == end else _second_look(emissions, index, text, start, end)
            records += values
            indexes += [index] * len(values)
        read = perf_counter()
        arguments = (slot, first)[: action.arity - 1]
        to_bytes = self._slots.bytes_of(slot)

        def call() -> Any:
            given = records if to_bytes is None else [to_bytes(record) for record in records]
            return action.function(recordsets.gather(given), *arguments)

        error = self._run(emissions, call, max(count - 1, 0))
        if error is not None:
            # Nothing came of any of them.
            reason, trace = explain(error)
            for index in indexes or [NO_FRAME]:
                emissions.reject(index, 'model', reason, trace=trace)
        done = perf_counter()
        return emissions.message(batch, len(records), read - began, done - read, 0.0, self._slots.room)

    def _call_once(self, batch: int, function: Function | None) -> list[bytes]:
        emissions = Emissions(self._slots.usual_output)
        began = perf_counter()
        error = None if function is None else self._run(emissions, function, NO_FRAME)
        if error is not None:
            _reject(emissions, 0, NO_FRAME, error)
        return emissions.message(batch, 0, 0.0, perf_counter() - began, 0.0, self._slots.room)

    def _run(self, emissions: Emissions, function: Function, index: int) -> BaseException | None:
        """One call, with all that it emits; nothing of that when it raises, and the error is given."""
        self._emissions, self._index = emissions, index
        try:
            result = function()
            if type(result) is GeneratorType:
                for output in result:
                    self._slots.emit(emissions, output, index)
            elif result is not None:
                self._slots.emit(emissions, result, index)
            return None
        except BaseException as error:
            emissions.drop_from(0)
            return error
        finally:
            self._emissions = None

    def _refuse_all(self, batch: int, slot: int, count: int) -> list[bytes]:
        emissions = Emissions(self._slots.usual_output)
        for index in range(count):
            emissions.reject(index, 'model', f'the model has no function for records of slot {slot}')
        return emissions.message(batch, count, 0.0, 0.0, 0.0, 0)

    def _score_no_more(self) -> None:
        self._starts.clear()


def _of_single_rows(action: Action) -> Action:
    """For records that come one by one to a function that takes record sets."""
    function, arity = action
    return Action(lambda value, *more: function(recordsets.gather([value]), *more), arity)


def _second_look(emissions: Emissions, index: int, text: str | None, start: int, end: int) -> list[Any]:
    try:
        return read_carefully(text, start, end)
    except NotRead as refusal:
        emissions.reject(index, 'encoding', str(refusal))
        return []


def _reject(emissions: Emissions, before: int, index: int, error: BaseException) -> None:
    emissions.drop_from(before)
    reason, trace = explain(error)
    emissions.reject(index, 'model', reason, trace=trace)
