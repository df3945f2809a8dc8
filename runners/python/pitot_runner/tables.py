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


def is_missing(value: Any) -> bool:
    """pandas' own words for nothing."""
    pandas = sys.modules.get('pandas')
    return pandas is not None and (value is getattr(pandas, 'NA', pandas) or value is getattr(pandas, 'NaT', pandas))


def records_of(frame: Any) -> list[dict[str, Any]]:
    """One dictionary per row."""
    records = frame.to_dict('records')
    for name, dtype in frame.dtypes.items():
        if _is_of_objects(dtype):
            for record in records:
                record[name] = _without_nan(record[name])
    return records


def values_of(array: Any) -> Any:
    """A list, of lists for more dimensions; the value itself for a scalar."""
    values = array.tolist()
    if hasattr(array, 'index') and _is_of_objects(array.dtype):
        return [_without_nan(value) for value in values]
    return values


def _is_of_objects(dtype: Any) -> bool:
    return getattr(dtype, 'kind', None) == 'O'


def _without_nan(value: Any) -> Any:
    """Among strings and other objects pandas writes nothing as not-a-number. Only a number can be that."""
    return None if isinstance(value, float) and value != value else value
