"""`verbose` of Keras methods: the person's own level on rank 0, silence on the others."""

from __future__ import annotations

from ..syntax import LN
from ._arguments import argument, set_argument
from ._expressions import wrap

DEFAULT = "1"  # Keras draws a progress bar unless told otherwise


def quiet(call: LN, hvd: str, position: int | None) -> None:
    """Let only rank 0 draw its progress bar."""
    level = argument(call, "verbose", position)
    if level is None:
        set_argument(call, "verbose", f"{DEFAULT} if {hvd}.rank() == 0 else 0")
    else:
        wrap(level, f"_ if {hvd}.rank() == 0 else 0")
