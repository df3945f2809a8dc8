"""Avro schemas as JSON has them: what types are called, and by which names others refer to them."""

from __future__ import annotations

from typing import Any

NAMED = ('record', 'error', 'enum', 'fixed')
_PLAIN = ('null', 'boolean', 'int', 'long', 'float', 'double', 'string', 'bytes', 'array', 'map')


def name_of(schema: Any, namespace: str) -> str:
    """The full name of a named type."""
    # A record may have been left without a name.
    return full_name(schema.get('name', ''), schema.get('namespace', namespace))


def full_name(name: str, namespace: str) -> str:
    return name if '.' in name or not namespace else f'{namespace}.{name}'


def namespace_of(name: str) -> str:
    return name.rpartition('.')[0]


def tag_of(schema: Any, namespace: str) -> str:
    """What a value of this branch of a union is tagged with."""
    kind = schema['type'] if isinstance(schema, dict) else schema
    if isinstance(kind, dict):
        return tag_of(kind, namespace)
    if kind in NAMED:
        return name_of(schema, namespace)
    return str(kind) if kind in _PLAIN else full_name(kind, namespace)
