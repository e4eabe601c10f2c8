"""How the callbacks of a migrated `fit` are written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..facts.output.callback_lists import Form
from ..facts.output.callbacks import WRITERS

if TYPE_CHECKING:
    from ..facts import Facts

HERE = "{hvd}.rank() == 0"
KEPT = "*([_] if {hvd}.rank() == 0 else [])"
# A name that may hold None, or a list that nobody can see: decided when the program runs.
FILTER = (
    "[{ours}*(callback for callback in _ or [] "
    "if {hvd}.rank() == 0 or not isinstance(callback, ({writers})))]"
)
FORMS = {
    Form.MISSING: "[{ours}]",
    Form.SINGLE: "[{ours}_]",
    Form.WRITER: "[{ours}" + KEPT + "]",
    Form.NAMED: "[{ours}*_]",
    Form.FILTERED: FILTER,
}


def listed(facts: Facts, form: Form, ours: Sequence[str]) -> str:
    """The list with Horovod's callbacks first; `_` stands for what is given."""
    first = ", ".join(ours if form is Form.MISSING else (*ours, ""))
    types = (facts.spell(f"tensorflow.keras.callbacks.{name}") for name in WRITERS)
    return FORMS[form].format(ours=first, hvd=facts.hvd, writers=", ".join(types))
