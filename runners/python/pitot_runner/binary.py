"""An Avro schema comes in; what makes bytes of the strings that stand for them in JSON goes out, where there are any."""

from __future__ import annotations

from typing import Any, Callable

from .schemas import NAMED, full_name, name_of, namespace_of, tag_of

Convert = Callable[[Any], Any]


def compile_bytes(schema: Any) -> Convert | None:
    """For records as the host writes them: values of unions bare, or tagged where the value does not tell its branch."""
    return _Compiler().of(schema, '') if _mentions_bytes(schema) else None


def _mentions_bytes(schema: Any) -> bool:
    if isinstance(schema, list):
        return any(map(_mentions_bytes, schema))
    if isinstance(schema, dict):
        parts = [schema.get('type'), schema.get('items'), schema.get('values')]
        return any(map(_mentions_bytes, [*parts, *(each['type'] for each in schema.get('fields', ()))]))
    return schema in ('bytes', 'fixed')


class _Compiler:
    """Named types may be referred to later, by themselves too."""

    def __init__(self) -> None:
        self._named: dict[str, Convert] = {}
        self._kinds: dict[str, str] = {}

    def of(self, schema: Any, namespace: str) -> Convert:
        if isinstance(schema, list):
            return self._of_union(schema, namespace)
        if isinstance(schema, str):
            return _to_bytes if schema == 'bytes' else self._named.get(full_name(schema, namespace), _as_it_is)
        kind = schema['type']
        if kind in NAMED:
            self._kinds[name_of(schema, namespace)] = kind
        if kind in ('record', 'error'):
            return self._of_record(schema, namespace)
        if kind == 'array':
            of_item = self.of(schema['items'], namespace)
            return lambda value: [of_item(item) for item in value]
        if kind == 'map':
            of_value = self.of(schema['values'], namespace)
            return lambda value: {key: of_value(item) for key, item in value.items()}
        if kind == 'fixed':
            self._named[name_of(schema, namespace)] = _to_bytes
            return _to_bytes
        return self.of(kind, namespace) if kind != 'enum' else _as_it_is

    def _of_record(self, schema: Any, namespace: str) -> Convert:
        fields: list[tuple[str, Convert]] = []

        def convert(value: Any) -> Any:
            for name, of_field in fields:
                value[name] = of_field(value[name])
            return value

        name = name_of(schema, namespace)
        self._named[name] = convert
        for each in schema.get('fields', ()):
            of_field = self.of(each['type'], namespace_of(name))
            if of_field is not _as_it_is:
                fields.append((each['name'], of_field))
        return convert

    def _kind(self, schema: Any, namespace: str) -> str:
        while isinstance(schema, dict):
            schema = schema['type']
        return self._kinds.get(full_name(schema, namespace), schema)

    def _of_union(self, branches: list[Any], namespace: str) -> Convert:
        converts = [(each, self.of(each, namespace)) for each in branches]
        shapes = [_SHAPES.get(self._kind(each, namespace), 'record') for each in branches]
        if len(set(shapes)) < len(shapes):
            by_tag = {tag_of(each, namespace): convert for each, convert in converts}
            return lambda value: _convert_tagged(value, by_tag)
        # In JSON some shapes look the same. Then what is a string stays one, and what is an object is left alone.
        by_type: dict[type, Convert] = {}
        for shape, (_, convert) in zip(shapes, converts):
            looks = _LOOKS.get(shape)
            if looks is not None:
                by_type[looks] = _as_it_is if looks in by_type else convert
        return lambda value: by_type.get(type(value), _as_it_is)(value)


# What tells the branches of a union apart, as the host sees it: where two are the same, each value is tagged.
_SHAPES = {
    'null': 'null',
    'boolean': 'boolean',
    **dict.fromkeys(('int', 'long', 'float', 'double'), 'number'),
    **dict.fromkeys(('string', 'enum'), 'string'),
    **dict.fromkeys(('bytes', 'fixed'), 'bytes'),
    'array': 'array',
    'map': 'map',
}
_LOOKS = {'string': str, 'bytes': str, 'array': list, 'map': dict, 'record': dict}


def _convert_tagged(value: Any, by_tag: dict[str, Convert]) -> Any:
    if not isinstance(value, dict):
        return value
    return {tag: by_tag.get(tag, _as_it_is)(inner) for tag, inner in value.items()}


def _to_bytes(text: str) -> bytes:
    return text.encode('latin-1')


def _as_it_is(value: Any) -> Any:
    return value
