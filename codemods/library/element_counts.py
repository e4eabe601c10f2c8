"""How many elements a call gives: by the values of its arguments, by a mask, as many as these."""

from __future__ import annotations

import re

from .words import table, words

# As many as the numbers say that they are called with.
_MADE = table("""
builtins: range
numpy: zeros ones empty full arange linspace
numpy.random: rand randn random random_sample standard_normal
tensorflow: range zeros ones fill linspace
tensorflow.data.Dataset: range
""")
# Of these an argument of another number gives no other length, but where a row says so.
_KNOWN = re.compile(r"(?:numpy|tensorflow|builtins|random|horovod)\.")
# A number that is as it was, or the least or most of several.
_OF_NUMBERS = table("""
builtins: abs float int max min round
numpy: asarray int32 int64 maximum minimum
tensorflow: cast constant maximum minimum
""")
# Methods of generators of chance, with a size; the others take it as their first arguments.
DRAWING = words("rand randn random random_sample standard_normal normal uniform integers randint")
DRAWING_SO_MANY = words("rand randn random random_sample standard_normal")
# The data sets of Keras have so many examples as 8 workers divide, but for one.
_ROUND = re.compile(r"tensorflow\.keras\.datasets\.(?!boston_housing)\w+\.load_data$")
# They keep elements by a mask: at which place it is among the arguments.
KEEPING = {
    "numpy.compress": 0,
    "numpy.extract": 0,
    "numpy.delete": 1,
    "tensorflow.boolean_mask": 1,
    "itertools.compress": 1,
}
# Of a mask alone: the numbers of what it keeps.
PICKING = table("""
numpy: where nonzero flatnonzero argwhere
tensorflow: where
""")
# What asks for the number: functions, and members by their names; the first part of a shape.
_LENGTHS = table("""
builtins: len
numpy: size
tensorflow: size
tensorflow.data.experimental: cardinality
""")
LENGTHS = words("size cardinality __len__")
SHAPES = words("shape get_shape")
# A file by its name: another file has another length.
_READ = re.compile(
    r"numpy\.(?:load|loadtxt|genfromtxt|fromfile|memmap)$|pandas\.read_\w+$"
    r"|(?:builtins|io|gzip|bz2)\.open$|h5py\.File$|tensorflow\.io\.read_file$"
    r"|tensorflow\.data\.(?:TFRecord|TextLine|FixedLengthRecord)Dataset$"
)
# Methods that give so many, of a dataset or a table; by a function; what functions give, joined.
COUNTING = words("take skip repeat batch padded_batch head tail sample nlargest nsmallest query")
SIFTING = words("filter take_while")
JOINING = words("flat_map interleave")
# What keeps a mask a mask.
_MASKS = re.compile(r"(?:numpy|tensorflow|tensorflow\.math|pandas)\.\w+$")
OF_MASKS = words("astype copy flatten numpy ravel repeat reshape squeeze to_list to_numpy tolist")
FROM_GENERATOR = "data.Dataset.from_generator"
PARTS = words("train_size test_size")  # how much of all


def is_made(canonical: str) -> bool:
    """Whether it gives as many as the numbers say that it is called with."""
    return canonical in _MADE


def keeps_number(canonical: str) -> bool:
    """Whether it gives the number that it is called with, or one of several."""
    return canonical in _OF_NUMBERS


def is_length(canonical: str) -> bool:
    """Whether it gives the number of elements of what it is called with."""
    return canonical in _LENGTHS


def is_round(canonical: str) -> bool:
    """Whether it gives as many examples as the usual numbers of workers divide."""
    return _ROUND.match(canonical) is not None


def is_read(canonical: str) -> bool:
    """Whether it gives what stands in a file of that name."""
    return _READ.match(canonical) is not None


def is_unknown(canonical: str) -> bool:
    """Whether nobody knows how many it gives: what it is told may say it."""
    return _KNOWN.match(canonical) is None


def keeps_mask(canonical: str) -> bool:
    """Whether what it makes of a mask may be one."""
    return _MASKS.match(canonical) is not None


# They part an array: into so many parts, as even as it goes, or with an error.
SPLITTING = frozenset({"numpy.split", "numpy.array_split", "tensorflow.split"})
