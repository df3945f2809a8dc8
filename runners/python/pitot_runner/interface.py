"""The module `pitot` as models import it: shared state, and a way to emit besides yield and return."""

from __future__ import annotations

import sys
import types
from typing import Any, Callable

from .state import Cell, Pool, SharedState

_NAMES = ('pitot', 'fastscore')


def offer(state: SharedState, emit: Callable[[Any, int | None], None]) -> None:
    """From now on `import pitot` gives this, whatever else by this name could be found."""
    module = types.ModuleType('pitot', 'What a model can use of the engine that runs it.')

    def cells(name: str) -> Cell:
        """A value that all jets of the job share."""
        return Cell(state, name)

    def pools(name: str) -> Pool:
        """Values by keys that all jets of the job share."""
        return Pool(state, name)

    def emit_value(value: Any, slot: int | None = None) -> None:
        """Emits a value, to the first output slot when none is named."""
        emit(value, slot)

    module.cells = cells  # type: ignore[attr-defined]
    module.pools = pools  # type: ignore[attr-defined]
    module.emit = emit_value  # type: ignore[attr-defined]
    for name in _NAMES:
        sys.modules[name] = module
