"""horovodrun, before there are workers: it need not import TensorFlow to learn how it was built.

It does so in a process of its own, to say in advance what would not work; by then distify has read
the answer from Horovod's library (`setting.py`). That saves a quarter of a short job.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any, Callable

from . import imports, setting


@imports.when_imported("horovod.common.util")
def hook(module: ModuleType) -> None:
    """Only of what is known to be there: horovodrun finds out about anything else by itself."""
    for name in setting.OPTIONS.get("controllers", ()):
        imports.replace(module, f"{name}_built", _is_built)


def _is_built(original: Callable[..., Any], verbose: bool = False) -> bool:
    return True
