"""The process a model runs in: descriptors, limits, signals and console are put in order before anything else happens."""

from __future__ import annotations

import faulthandler
import fcntl
import os
import resource
import signal
import sys
import weakref
from typing import Callable

RUNNER_FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

FROM_HOST = 3
TO_HOST = 4

# Far above what a program opens by itself: whoever writes to every low descriptor does not meet the protocol.
HIGH_DESCRIPTOR = 16_384

# Of the memory a jet may have: what comes on top of its data are the pages of its libraries, so that a model that
# allocates without end gets a MemoryError, which costs one record, before the host has to end the whole jet.
SHARE_FOR_DATA = 15 / 16


def settle() -> tuple[int, int]:
    """Gives the descriptors of the messages, from the host and to it."""
    arriving, leaving = _lift(FROM_HOST), _lift(TO_HOST)
    _limit_memory(os.environ.get('PITOT_JET_MEMORY'))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _end_with_the_parent()
    for console in (sys.stdout, sys.stderr):
        console.reconfigure(encoding='utf-8', errors='backslashreplace', line_buffering=True)
    # A crash in native code then shows on the console which line of the model led to it.
    faulthandler.enable()
    return arriving, leaving


def open_path_to_the_model(path: list[str]) -> None:
    """Modules of the attachments come first; stand-ins for modules that Python has dropped come last."""
    # The first entry is the folder of the script that was started: the runner's own.
    path[:] = [os.getcwd(), *path[1:], os.path.join(RUNNER_FOLDER, 'compatibility')]


def in_forked_copies(method: Callable[[], None]) -> None:
    """Calls a method in every process that the model forks. It does not keep its object alive, as the interpreter would."""
    weak = weakref.WeakMethod(method)

    def call() -> None:
        alive = weak()
        if alive is not None:
            alive()

    os.register_at_fork(after_in_child=call)


def _lift(descriptor: int) -> int:
    """Moves a descriptor out of the model's reach; the old one leads nowhere from now on."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    highest = HIGH_DESCRIPTOR if hard == resource.RLIM_INFINITY else min(hard, HIGH_DESCRIPTOR)
    # What is open stays open when the limit is lower again.
    resource.setrlimit(resource.RLIMIT_NOFILE, (highest, hard))
    lifted = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, highest - 16)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, descriptor, inheritable=False)
    os.close(nowhere)
    return lifted


def _limit_memory(text: str | None) -> None:
    if not text:
        return
    limit = int(int(text) * SHARE_FOR_DATA)
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    if hard != resource.RLIM_INFINITY:
        limit = min(limit, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))


def _end_with_the_parent() -> None:
    """Where the system can do it: the end of descriptor 3 is only seen between two messages, the end of a process always."""
    if not sys.platform.startswith('linux'):
        return
    try:
        import ctypes

        set_parent_death_signal = 1
        ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGKILL, 0, 0, 0)
    except (ImportError, OSError, AttributeError):
        pass
