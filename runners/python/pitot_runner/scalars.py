"""Dates, times, decimals and UUIDs, which Python has and JSON has not: such a value comes in, what stands for it goes out.

Imported when the first of them is met: most models have none.
"""

from __future__ import annotations

from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Any
from uuid import UUID

from .tables import is_moment

_MICROSECOND = timedelta(microseconds=1)
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_EPOCH_DAY = date(1970, 1, 1).toordinal()


def is_scalar(value: Any) -> bool:
    return isinstance(value, (date, time, Decimal, UUID)) or is_moment(value)


def text_of(value: Any) -> str:
    """ISO 8601, the digits of a decimal, the usual groups of a UUID."""
    return value.isoformat() if isinstance(value, (date, time)) else str(value)


def number_of(value: Decimal) -> str:
    """As JSON: a number with all its digits, or the name of what is none."""
    if value.is_finite():
        return str(value)
    return '"NaN"' if value.is_nan() else '"Infinity"' if value > 0 else '"-Infinity"'


def days_of(value: Any) -> int | None:
    """Since 1970. None for what is no day; midnight stands for its day."""
    if is_moment(value):
        value = _datetime(value)
    if isinstance(value, datetime):
        return None if value.time() != time.min or _nanoseconds(value) else value.toordinal() - _EPOCH_DAY
    return value.toordinal() - _EPOCH_DAY if isinstance(value, date) else None


def nanoseconds_of_day(value: Any) -> int | None:
    """None for what is no time of day."""
    if not isinstance(value, time) or value.tzinfo is not None:
        return None
    return (((value.hour * 60 + value.minute) * 60 + value.second) * 10**6 + value.microsecond) * 1000


def nanoseconds_since_1970(value: Any, is_local: bool) -> int | None:
    """None for what is no instant. Where no offset is said, UTC is meant; a local one is what its own clock shows."""
    more = 0
    if is_moment(value):
        more, value = _rest(value), _datetime(value)
    if isinstance(value, datetime):
        more += _nanoseconds(value)
        if hasattr(value, 'to_pydatetime'):
            value = value.to_pydatetime(warn=False)
        instant = value.replace(tzinfo=timezone.utc) if is_local or value.tzinfo is None else value
        return (instant - _EPOCH) // _MICROSECOND * 1000 + more
    days = days_of(value)
    return None if days is None else days * 86_400 * 10**9


def unscaled_of(value: Any, precision: int, scale: int, size: int | None) -> bytes | None:
    """A decimal as Avro has it: whole number of units of the last digit, two's complement. None when it does not fit exactly."""
    if not isinstance(value, Decimal) or not value.is_finite():
        return None
    sign, digits, exponent = value.as_tuple()
    shift = int(exponent) + scale
    # Looked at before anything is calculated: an exponent may have any size.
    if any(digits) and len(digits) + shift > precision:
        return None
    number = int(''.join(map(str, digits)))
    if shift < 0:
        number, rest = divmod(number, 10 ** min(-shift, len(digits)))
        if rest:
            return None
    elif number:
        number *= 10**shift
    number = -number if sign else number
    # One bit more, for the sign; -128 still is one byte.
    length = (number + (number < 0)).bit_length() // 8 + 1
    return number.to_bytes(length if size is None else size, 'big', signed=True)


def _nanoseconds(value: Any) -> int:
    """What a Timestamp of pandas has besides its microseconds."""
    return int(getattr(value, 'nanosecond', 0))


def _datetime(moment: Any) -> Any:
    """Of a datetime64 of numpy, to the microsecond. A number beyond the years that Python has."""
    return moment.astype('M8[us]').item()


def _rest(moment: Any) -> int:
    """The nanoseconds behind the microseconds of a datetime64."""
    return int((moment - moment.astype('M8[us]')).astype('m8[ns]').astype('i8'))
