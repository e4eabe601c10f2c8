"""Which TensorFlow, and so which Keras, programs were written for, and who says so."""

from __future__ import annotations

import os
from collections.abc import Iterable

from ..files.choice import GUESSED, Choice
from ..files.outcome import Outcome


def lines(outcomes: Iterable[Outcome], choice: Choice) -> list[str]:
    """One line for each target of what trains; it is told, too, that nobody asks for any."""
    told = [each for each in outcomes if each.changed or each.blocked]
    folders = dict.fromkeys(os.path.dirname(each.target.path) for each in told)
    found = dict.fromkeys(choice.target(folder) for folder in folders)
    return [f"Written for {name}: {why or GUESSED}." for name, why in found]
