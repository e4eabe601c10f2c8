"""All workers take the same number of steps: none has another number of examples to begin with."""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..model import Finding
from . import restriction
from ._disagreement import of_code


@restriction(code="K04", name="unlike-amounts")
def unlike_amounts(facts: Facts) -> Iterator[Finding]:
    """Data of `fit`, and of loops that train, of which chance, say, decides how much there is."""
    return of_code(facts, "K04")
