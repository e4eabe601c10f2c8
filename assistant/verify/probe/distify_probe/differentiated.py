"""What gradients are taken of, in eager code: a worker may never apply them itself.

There one worker applies what all have averaged, and sends the weights: those that the others hold
are seen whenever they take gradients.
"""

from __future__ import annotations

from typing import Any

from . import inside, losses, record, states
from .chosen import chosen_beyond
from .naming import name_of

_times = 0
_due = 1


@record.careful("variables")
def _note(variables: list[Any]) -> None:
    """The values at chosen times."""
    global _times, _due
    if not inside.eager():
        return
    _times += 1
    if _times >= _due:
        _due = chosen_beyond(_times)
        hashes = {f"{name_of(v)}#{n}": states.digest(v.numpy()) for n, v in enumerate(variables)}
        record.write("differentiated", n=_times, hashes=hashes)


losses.on_gradient.append(_note)
