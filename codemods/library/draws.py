"""Functions that put examples in an order, or in parts, by chance: one row an API.

scikit-learn and pandas draw from NumPy's global numbers where they are given none of their own.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from .first_row import Rows
from .names import normal

NUMPY, PYTHON, TENSORFLOW = "numpy.random", "random", "tensorflow.random"


class Draw(NamedTuple):
    """What a function draws from, and how all workers get it to draw the same."""

    numbers: str  # whose global seed counts; empty: of none
    fix: str
    seeds: tuple[tuple[str, int | None], ...] = ()  # its arguments that fix the order: name, place
    switch: tuple[str, int | None] = ("", None)  # the argument that turns chance on or off
    by_default: bool = True  # whether there is chance where the switch isn't given
    is_split: bool = False  # whether all that it is for is to part examples
    is_listing: bool = False  # whether it isn't chance that makes the order, but a file system
    only_for_data: bool = False  # whether it counts only where it decides on examples
    only_as_index: bool = False  # or where it picks them by number
    maker: str = ""  # what of the same module draws the same for all, with the same methods
    is_of_groups: bool = False  # whether chance says how many examples there are, too


_STATE = Draw(
    NUMPY, "seed it: `random_state=0`", (("random_state", None), ("seed", None)), is_split=True
)
_NUMPY = Draw(NUMPY, "call `np.random.seed(0)` before", maker="RandomState(0)")
_PYTHON = Draw(PYTHON, "call `random.seed(0)` before", maker="Random(0)")
_SHUFFLE = ("shuffle", None)
SAMPLE = _STATE._replace(seeds=(("random_state", 4),), is_split=False)  # of a table
SHUFFLED = Draw(TENSORFLOW, "give it a seed: `seed=0`")  # a dataset
READ = "read them in one order: `read_config=tfds.ReadConfig(shuffle_seed=0)`"  # shuffled files
LISTING = Draw("", "sort the names: `sorted(…)`", only_for_data=True, is_listing=True)
HASHED = LISTING._replace(fix="sort it: `sorted(…)`", only_for_data=False)  # texts of a set
_DRAWS = {
    "split": _STATE,
    "split unless told": _STATE._replace(switch=_SHUFFLE),
    "split if told": _STATE._replace(switch=_SHUFFLE, by_default=False),
    "split of groups": _STATE._replace(is_of_groups=True),
    "split of groups if told": _STATE._replace(
        switch=_SHUFFLE, by_default=False, is_of_groups=True
    ),
    "NumPy": _NUMPY,
    "NumPy picks": _NUMPY._replace(only_as_index=True),
    "Python": _PYTHON,
    "Python picks": _PYTHON._replace(only_as_index=True),
    "TensorFlow": Draw(
        TENSORFLOW, "call `tf.random.set_seed(0)` before", (("seed", 1),), only_for_data=True
    ),
    "listing": LISTING,
    "entries": LISTING._replace(fix="sort them: `sorted(…, key=lambda entry: entry.name)`"),
    "tree": LISTING._replace(fix="sort the names of each folder: `sorted(names)`"),
}
_ROWS: tuple[tuple[str, str], ...] = (
    (r"sklearn\.model_selection\.train_test_split$", "split unless told"),
    (r"sklearn\.model_selection\.Repeated\w*KFold$", "split"),
    (r"sklearn\.model_selection\.GroupShuffleSplit$", "split of groups"),
    (r"sklearn\.model_selection\.\w*GroupKFold$", "split of groups if told"),
    (r"sklearn\.model_selection\.\w*KFold$", "split if told"),
    (r"sklearn\.model_selection\.\w*ShuffleSplit$", "split"),
    (r"sklearn\.utils\.(?:shuffle|resample)$", "split"),
    (r"imblearn\.(?:over|under)_sampling\.Random\w+$", "split"),
    (r"numpy\.random\.(?:shuffle|permutation)$", "NumPy"),
    (r"numpy\.random\.(?:choice|randint|random_integers)$", "NumPy picks"),
    (r"random\.(?:shuffle|sample)$", "Python"),
    (r"random\.(?:choices?|randint|randrange)$", "Python picks"),
    (r"tensorflow\.random\.(?:experimental\.)?\w*shuffle$", "TensorFlow"),
    (r"os\.listdir$", "listing"),
    (r"os\.scandir$", "entries"),
    (r"os\.walk$", "tree"),
    (r"glob\.i?glob$", "listing"),
    (r"tensorflow\.io\.gfile\.(?:glob|listdir)$", "listing"),
    (r"tensorflow\.io\.gfile\.walk$", "tree"),
)
_NAMES = Rows(_ROWS)
# A generator of the program's own is seeded where it is made.
GENERATORS = {
    "numpy.random.default_rng": "seed the generator: `np.random.default_rng(0)`",
    "numpy.random.RandomState": "seed the generator: `np.random.RandomState(0)`",
    "random.Random": "seed the generator: `random.Random(0)`",
}
# What a trial of a study is asked for (Optuna): its sampler proposes by chance, and by the scores.
SUGGESTIONS = tuple(
    f"suggest_{kind}"
    for kind in ("int", "float", "categorical", "uniform", "loguniform", "discrete_uniform")
)
STUDIES = ("optuna.create_study", "optuna.load_study")
SAMPLERS = "optuna.samplers."
_ORDERING = frozenset({"shuffle", "permutation", "permuted", "sample"})
_PICKING = frozenset({"choice", "choices", "integers", "randint", "randrange"})
_LISTING = frozenset({"glob", "rglob", "iterdir"})  # of a path
# These give lists of names, which can be sorted.
_SORTABLE = frozenset(
    ["os.listdir", "glob.glob", "tensorflow.io.gfile.glob", "tensorflow.io.gfile.listdir"]
)
# What says who comes where, or who is taken: an argument of a function, or of a method.
PLACING: dict[str, tuple[str, int | None]] = {
    "builtins.sorted": ("key", None),
    "numpy.delete": ("obj", 1),
    "numpy.roll": ("shift", 1),
    "numpy.take": ("indices", 1),
    "tensorflow.gather": ("indices", 1),
    "tensorflow.roll": ("shift", 1),
    ".filter": ("predicate", 0),
    ".pop": ("index", 0),
    ".sort": ("key", None),
}
# What comes out of these is the same, in whatever order it goes in.
SORTING = ("builtins.sorted", "numpy.sort", "numpy.unique", "tensorflow.sort")
UNORDERED = frozenset((*SORTING, *(f"builtins.{name}" for name in ("min", "max", "any", "all"))))


_REORDERS = re.compile(
    r"(?:numpy\.)?random\.(?:shuffle|permutation)$|sklearn\.utils\.shuffle$|tensorflow\.random\.shuffle$"
)
# Functions that draw from a stream that all of a program share.
DRAWING = r"(?P<module>numpy\.random|random)\.(?!seed|default_rng|[A-Z])\w+$"


def draw(canonical: str) -> Draw | None:
    """How a library function draws, None where it draws no order."""
    word = _NAMES.first(normal(canonical))
    return None if word is None else _DRAWS[word]


def reorders(canonical: str) -> bool:
    """Whether all that a function is given comes out of it, in an order of chance."""
    return _REORDERS.match(canonical) is not None


def is_sortable(canonical: str | None, method: str) -> bool:
    """Whether what a listing gives is names or paths, and no entries or parts of a tree."""
    return method in _LISTING if canonical is None else normal(canonical) in _SORTABLE


def draw_of_method(method: str, keywords: frozenset[str]) -> Draw | None:
    """How a method of something unknown draws: `frac=` tells a table, these names a path."""
    if method == "sample" and "frac" in keywords:
        return SAMPLE
    return LISTING if method in _LISTING else None


def draw_of_generator(kind: str, method: str) -> Draw | None:
    """How a method of a generator draws that is made without a seed."""
    if method not in _ORDERING | _PICKING:
        return None
    return Draw("", GENERATORS[kind], only_as_index=method in _PICKING)


_SIZES: dict[str, tuple[str, int | None]] = {
    "numpy.random.choice": ("size", 1),
    "numpy.random.randint": ("size", 2),
    "numpy.random.random_integers": ("size", 2),
    "numpy.random.uniform": ("size", 2),
    "numpy.random.normal": ("size", 2),
    "random.sample": ("k", 1),
    "random.choices": ("k", None),
}


def size_argument(canonical: str) -> tuple[str, int | None] | None:
    """The argument, name and place, that says how many a function draws; whatever it draws from."""
    return _SIZES.get(canonical)


def is_environment(canonical: str) -> bool:
    """Whether it is of a library of environments: what these answer hangs on what is done there."""
    return canonical.split(".")[0] in ("gym", "gymnasium")
