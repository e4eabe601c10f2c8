"""What trains where no TensorFlow does: frameworks that distify is not for, by their imports."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from distify.codemods.program.records import NamedTuple

from .source import read

MOST = 200  # files that are looked into
START = 20_000  # bytes of each: imports stand at the top


class Framework(NamedTuple):
    """A framework, and what makes its programs train on many workers."""

    name: str
    way: str


# The first of them that a file imports counts: `transformers` trains with PyTorch, and so on.
FRAMEWORKS = {
    "transformers": Framework(
        "transformers", "`torchrun` and `accelerate launch` start it on many workers"
    ),
    "pytorch_lightning": Framework(
        "Lightning", "`devices` and `num_nodes` of its Trainer make it train on many workers"
    ),
    "lightning": Framework(
        "Lightning", "`devices` and `num_nodes` of its Trainer make it train on many workers"
    ),
    "torch": Framework("PyTorch", "`torchrun` and `accelerate launch` start it on many workers"),
    "flax": Framework("JAX", "`jax.distributed` makes it train on many workers"),
    "jax": Framework("JAX", "`jax.distributed` makes it train on many workers"),
    "sklearn": Framework("scikit-learn", "joblib and Dask make it train on many workers"),
}
_IMPORT = re.compile(rb"^[ \t]*(?:import|from)[ \t]+(\w+)", re.MULTILINE)


def framework(paths: Iterable[str]) -> Framework | None:
    """The framework that most of these files import; None where none of them does."""
    counts: dict[Framework, int] = {}
    for path, _ in zip(paths, range(MOST)):
        for found in _of(path):
            counts[found] = counts.get(found, 0) + 1
    return max(counts, key=counts.__getitem__, default=None)


def _of(path: str) -> Iterator[Framework]:
    try:
        data = read(path, START)
    except OSError:
        return
    names = {found.decode("ascii", "replace") for found in _IMPORT.findall(data)}
    known = [FRAMEWORKS[name] for name in FRAMEWORKS if name in names]
    if known and not names & {"tensorflow", "keras", "tf_keras"}:
        yield known[0]


def sentence(found: Framework) -> str:
    """What a person is told who has asked the wrong tool."""
    return (
        f"No TensorFlow training loop here: this is {found.name}; distify is not for it"
        f" ({found.way})."
    )
