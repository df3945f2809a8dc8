"""Slots as a model and the streams attached to it make them: how records are read, and where what is emitted goes."""

from __future__ import annotations

from typing import Any, Callable

from . import recordsets
from .binary import Convert, compile_bytes
from .emissions import Emissions
from .reading import Reading, read_bytes, read_json, read_json_of_host, read_text
from .writing import Frame, TypedWriter, Unwritable, write_json, write_raw, write_text

_USUAL_OUTPUT = 1

# Streams that carry text or bytes as they are. With all others, frames are JSON.
_RAW = ('null', 'utf-8')
_UNTYPED = {'encoding': 'json'}


class Slots:
    """Told by `load` what the model declares and by `attach` what it is connected to."""

    def __init__(self, declared: list[dict[str, Any]]) -> None:
        self._declared = {each['slot']: each for each in declared}
        self._streams: dict[int, dict[str, Any]] = {}
        self._writers: dict[int, Callable[[Any], Frame]] = {}
        self._arrange()

    def attach(self, slot: int, stream: dict[str, Any] | None) -> None:
        if stream is None:
            self._streams.pop(slot, None)
        else:
            self._streams[slot] = stream
        self._arrange()

    def reader(self, slot: int) -> Callable[[memoryview, list[int], list[int]], Reading]:
        stream = self._streams.get(slot, _UNTYPED)
        if stream['encoding'] not in _RAW:
            is_passed_on = stream['encoding'] == 'json' and self._schema(slot, stream) is None
            return read_json if is_passed_on else read_json_of_host
        return read_bytes if stream['encoding'] == 'null' and self._is_bytes(slot, stream) else read_text

    def bytes_of(self, slot: int) -> Convert | None:
        """What makes bytes of the strings that stand for them; None where there are none."""
        return self._bytes.get(slot)

    def takes_sets(self, slot: int) -> bool:
        return bool(self._declared.get(slot, {}).get('recordsets'))

    def emit(self, emissions: Emissions, value: Any, index: int, slot: int | None = None) -> None:
        """Wherever the value goes: to the slot that it names, record by record where the slot carries record sets."""
        if slot is None:
            slot, value = self._addressed(value)
        elif slot not in self.outputs:
            raise ValueError(f'the model has no output slot {slot}, only {", ".join(map(str, self.outputs))}')
        if not self.takes_sets(slot):
            self._emit_one(emissions, slot, value, index)
            return
        for record in recordsets.scatter(value):
            self._emit_one(emissions, slot, record, index)
        emissions.end_set(slot, index)

    def _arrange(self) -> None:
        inputs = {
            slot: stream for slot, stream in self._streams.items() if slot % 2 == 0 and stream['encoding'] not in _RAW
        }
        self._bytes = {slot: compile_bytes(self._schema(slot, stream)) for slot, stream in inputs.items()}
        known = {slot for slot in (*self._declared, *self._streams) if slot % 2 == 1}
        self.outputs = sorted(known) or [_USUAL_OUTPUT]
        self.usual_output = self.outputs[0]
        self._writers = {slot: self._writer(slot) for slot in self.outputs}
        self.usual_writer = self._writers[self.usual_output]
        # Then nothing has to be decided for each value.
        self.is_simple = (
            len(self.outputs) == 1
            and self.usual_writer not in (write_raw, write_text)
            and not self.takes_sets(self.usual_output)
        )
        self.room = max((self._streams[slot]['room'] for slot in self.outputs if slot in self._streams), default=0)

    def _writer(self, slot: int) -> Callable[[Any], Frame]:
        stream = self._streams.get(slot, {})
        encoding = stream.get('encoding')
        if encoding in _RAW:
            return write_raw if encoding == 'null' else write_text
        schema = self._schema(slot, stream)
        return write_json if schema is None else TypedWriter(schema)

    def _schema(self, slot: int, stream: dict[str, Any]) -> Any:
        """Records are given as the model says; where it says nothing, as the stream does."""
        own = self._declared.get(slot, {}).get('schema')
        return stream.get('schema') if own is None else own

    def _is_bytes(self, slot: int, stream: dict[str, Any]) -> bool:
        schema = self._schema(slot, stream)
        while isinstance(schema, dict):
            schema = schema.get('type')
        return bool(schema == 'bytes')

    def _addressed(self, value: Any) -> Any:
        """A model with several outputs says where a value goes by a pair: `yield (3, value)`."""
        if len(self.outputs) > 1 and type(value) is tuple and len(value) == 2:
            slot = value[0]
            if type(slot) is int and slot in self.outputs:
                return value
        return self.usual_output, value

    def _emit_one(self, emissions: Emissions, slot: int, value: Any, index: int) -> None:
        try:
            emissions.add(slot, self._writers[slot](value), index)
        except Unwritable as refusal:
            emissions.refuse(index, slot, refusal, value)
