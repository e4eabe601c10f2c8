"""Libraries that a program may import, or not, and be the same; and calls that change nothing."""

from __future__ import annotations

from .words import words

# None of them knows of workers, starts anything, or says which TensorFlow or Keras trains.
_QUIET = words(
    """
    __future__ abc argparse ast base64 bisect calendar cmath collections configparser contextlib
    copy csv dataclasses datetime decimal enum fractions functools glob gzip hashlib heapq inspect
    io itertools json logging math numbers numpy operator os pandas pathlib pickle platform pprint
    queue re scipy shutil sklearn statistics string struct sys tempfile tensorflow textwrap time
    traceback types typing typing_extensions unittest urllib uuid warnings yaml zipfile
    """
)
_CHANGE_NOTHING = words(
    """
    logging.getLogger re.compile collections.namedtuple collections.OrderedDict
    collections.defaultdict typing.TypeVar typing.NamedTuple typing.NewType pathlib.Path
    os.getcwd os.getenv os.environ.get os.path.abspath os.path.basename os.path.dirname
    os.path.exists os.path.expanduser os.path.isdir os.path.isfile os.path.join os.path.realpath
    os.path.split os.path.splitext math.log math.sqrt math.ceil math.floor math.exp
    datetime.timedelta decimal.Decimal functools.partial
    """
)


def does_nothing_at_import(name: str) -> bool:
    """Whether a program that doesn't use a library is the same without its import."""
    return name.partition(".")[0] in _QUIET


def changes_nothing(name: str) -> bool:
    """Whether a call of a library only makes a value of what it is called with."""
    return name in _CHANGE_NOTHING
