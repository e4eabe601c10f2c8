"""Functions that give batches as they get them, or make lists of batches; one row an API."""

from __future__ import annotations

# What goes through several of them side by side, and how many of the arguments these are.
JOINING: dict[str, int | None] = {
    "builtins.zip": None,
    "builtins.iter": 1,
    "itertools.chain": None,
    "itertools.cycle": 1,
    "itertools.islice": 1,
}
# What parts an array into a list of them.
LISTING = frozenset({"numpy.array_split", "numpy.split", "numpy.vsplit"})
