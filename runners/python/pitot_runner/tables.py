"""Frames and series of pandas, arrays and scalars of numpy come in, plain lists and values go out.

They are known by what they can do: neither library is imported here.
"""

from __future__ import annotations

import sys
from typing import Any


def is_frame(value: Any) -> bool:
    return hasattr(value, 'to_dict') and hasattr(value, 'columns')


def is_array(value: Any) -> bool:
    """Also a series, an index, a single number of numpy."""
    return hasattr(value, 'tolist')


def is_moment(value: Any) -> bool:
    """A single datetime64 of numpy."""
    return _kind(getattr(value, 'dtype', None)) == 'M' and getattr(value, 'shape', None) == ()


def is_missing(value: Any) -> bool:
    """pandas' own words for nothing, and numpy's for no time."""
    pandas = sys.modules.get('pandas')
    if pandas is not None and (value is getattr(pandas, 'NA', pandas) or value is getattr(pandas, 'NaT', pandas)):
        return True
    return is_moment(value) and bool(value != value)


def records_of(frame: Any) -> list[dict[str, Any]]:
    """One dictionary per row."""
    records = frame.to_dict('records')
    for name, dtype in frame.dtypes.items():
        if _kind(dtype) == 'O':
            for record in records:
                record[name] = _without_nan(record[name])
    return records


def values_of(array: Any) -> Any:
    """A list, of lists for more dimensions; the value itself for a scalar."""
    kind = _kind(getattr(array, 'dtype', None))
    if kind == 'M':
        # In a list of plain values some would be bare counts of nanoseconds.
        return list(array)
    values = array.tolist()
    if hasattr(array, 'index') and kind == 'O':
        return [_without_nan(value) for value in values]
    return values


def _kind(dtype: Any) -> Any:
    """A letter of numpy: `O` for objects, `M` for times."""
    return getattr(dtype, 'kind', None)


def _without_nan(value: Any) -> Any:
    """Among strings and other objects pandas writes nothing as not-a-number. Only a number can be that."""
    return None if isinstance(value, float) and value != value else value
