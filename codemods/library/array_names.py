"""What of NumPy, and of what is near to it, is asked for by name: arrays, orders, parts."""

from __future__ import annotations

from .tensorflow_names import TENSORS
from .words import table

ARRAYS = ("numpy.array", "numpy.asarray")
OF_VALUES = (*ARRAYS, *TENSORS)  # they make one of what there is, in its order
JOINED = ("builtins.list", "builtins.tuple", "builtins.zip", *ARRAYS)
LOAD = "numpy.load"
LOADERS = table("numpy: load loadtxt genfromtxt")
NEW_CONTAINERS = table("""
builtins: dict list set
collections: Counter OrderedDict defaultdict deque
numpy: empty empty_like full full_like ones ones_like zeros zeros_like
""")
ITERATE = table("numpy: fromiter")
# -- orders
PERMUTATION = "numpy.random.permutation"
ORDERS = (PERMUTATION,)  # numbers of rows
IN_PLACE = ("numpy.random.shuffle",)
SHUFFLES = ("sklearn.utils.shuffle",)
NUMBERED = (PERMUTATION, "numpy.arange")  # all numbers of rows, in some order
NUMBERS = (*NUMBERED, "builtins.range")
COUNTED = ("numpy.arange", "numpy.linspace", "builtins.range", "tensorflow.range")
GENERATORS = ("numpy.random.RandomState", "numpy.random.default_rng")
EVEN_SPLITS = ("numpy.split", "tensorflow.split")  # into parts of one length
SPLIT = "numpy.array_split"  # into parts of which some may be longer by one
# What seeds a module's numbers of chance.
SEEDS = {
    "random": "random.seed",
    "numpy.random": "numpy.random.seed",
    "tensorflow.random": "tensorflow.random.set_seed",
}
# Lists as long as what they are made of; of files, as long as there are some.
LISTED_FILES = (
    *("builtins.sorted", "builtins.list", "glob.glob", "os.listdir", "tensorflow.io.gfile.glob"),
)
# As long as their first argument.
SAME_LENGTH = (
    r"numpy\.(?:array|asarray)$|tensorflow\.(?:constant|convert_to_tensor|cast)$|"
    r"tensorflow\.keras\.(?:utils|preprocessing\.\w+)\.(?:to_categorical|pad_sequences)$"
)
