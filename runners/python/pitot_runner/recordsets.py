"""Record sets: lists of records become what models calculate with, and what they give back becomes lists again."""

from __future__ import annotations

import importlib
from typing import Any

from .tables import is_array, is_frame, records_of, values_of


def gather(records: list[Any]) -> Any:
    """
    A DataFrame of records, a Series of single values, a matrix of arrays: the first record tells which. Without pandas,
    without numpy, it stays a list.
    """
    first = records[0] if records else {}
    if isinstance(first, list):
        numpy = library('numpy')
        return records if numpy is None else numpy.matrix(records)
    pandas = library('pandas')
    if pandas is None:
        return records
    return pandas.DataFrame(records) if isinstance(first, dict) else pandas.Series(records)


def scatter(given: Any) -> list[Any]:
    """The records of a set that a model gives. What is no collection is a set of one."""
    if is_frame(given):
        return records_of(given)
    if is_array(given):
        values = values_of(given)
        return values if isinstance(values, list) else [values]
    if isinstance(given, (list, tuple, set, frozenset)):
        return list(given)
    return [given]


def library(name: str) -> Any | None:
    """Imported only for models that take record sets."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None
