"""What a model raises comes in; one sentence and a traceback of the model's own lines go out."""

from __future__ import annotations

import gc
import os
import traceback
from typing import Any

from .process import RUNNER_FOLDER

_FRAMES_SHOWN = 100
_CHARACTERS_SHOWN = 16_000
_OUT_OF_MEMORY_STATUS = 71
_ROOM_TO_GO_ON = 16 * 2**20


def explain(error: BaseException) -> tuple[str, str]:
    """Reason and traceback."""
    if isinstance(error, MemoryError):
        # What the model's functions hold has to be let go of before there is memory to say anything.
        traceback.clear_frames(error.__traceback__)
        _leave_if_still_full()
    told = traceback.TracebackException(type(error), error, error.__traceback__, limit=-_FRAMES_SHOWN)
    _cut(told, set())
    place = _place(told)
    reason = _sentence(error)
    return (f'{reason} ({place})' if place else reason), ''.join(told.format())[-_CHARACTERS_SHOWN:]


def _leave_if_still_full() -> None:
    """A model that still holds the memory would fail on every record from now on: a fresh jet will not."""
    gc.collect()
    try:
        bytearray(_ROOM_TO_GO_ON)
    except MemoryError:
        os._exit(_OUT_OF_MEMORY_STATUS)


def _cut(told: Any, seen: set[int]) -> None:
    """Leaves out the frames of the runner and of the import machinery, also of the errors that led to this one."""
    if told is None or id(told) in seen:
        return
    seen.add(id(told))
    told.stack[:] = [frame for frame in told.stack if not _is_ours(frame.filename)]
    _cut(told.__cause__, seen)
    _cut(told.__context__, seen)


def _is_ours(file: str) -> bool:
    return file.startswith((RUNNER_FOLDER, '<frozen importlib'))


def _place(told: Any) -> str | None:
    """Where in the files of the jet's folder it happened; what libraries do inside is in the traceback."""
    own = [frame for frame in told.stack if _is_in_folder(frame.filename)]
    return f'{os.path.basename(own[-1].filename)}, line {own[-1].lineno}' if own else None


def _is_in_folder(file: str) -> bool:
    return not os.path.isabs(file) or file.startswith(os.getcwd() + os.sep)


def _sentence(error: BaseException) -> str:
    """As Python's own last line, of which only the first line: some libraries say a whole page."""
    try:
        text = str(error).strip().split('\n')[0]
    except BaseException:
        text = ''
    name = type(error).__name__
    return f'{name}: {text}' if text else name
