"""The edits that rewrites are made of; they keep the bytes around and the layout of the file.

A rule needs them when it edits, not when it decides: they are imported when the first of them is
called, and the concrete tree with them.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._edits import *  # noqa: F403
else:

    def __getattr__(name):
        if name.startswith("_"):
            raise AttributeError(name)
        return partial(_edit, name)


def _edit(name: str, *arguments: Any) -> Any:
    from . import _edits

    return getattr(_edits, name)(*arguments)
