"""What calls make of examples: which they give, in which order, drawn by whom; one row an API.

For the question which rows of the data a worker's batch holds, whatever becomes of the numbers.
"""

from __future__ import annotations

import re

from .first_row import Rows
from .words import words

# What a call gives: what stands in files or in the library, the same for all workers; a pick of
# what it is called with; numbers of chance; all of what it is called with in an order by chance;
# what happens in an environment; a dataset of what it is called with; no examples.
READS, PICKS, NUMBERS, ORDERS, PLAYS, HOLDS, NONE = (
    *("reads", "picks", "numbers", "orders", "plays", "holds", "none"),
)

_ROWS: tuple[tuple[str, str], ...] = (
    (r"(?:numpy\.random|random)\.(?:shuffle|permutation|permuted)$", ORDERS),
    (r"tensorflow\.(?:random\.(?:experimental\.index_)?|random_)shuffle$", ORDERS),
    (r"random\.sample$", PICKS),
    (r"(?:numpy\.random|random)\.(?:choices?|randint|randrange|random_integers|integers)$", PICKS),
    (r"tensorflow\.random\.(?:categorical|uniform_candidate_sampler)$", PICKS),
    (r"(?:numpy\.random|random)\.(?!seed|default_rng|[gs]et_?state)[a-z]\w*$", NUMBERS),
    (r"tensorflow\.(?:compat\.v1\.)?random\.(?!set_seed|Generator|get_|create_)\w+$", NUMBERS),
    (r"tensorflow\.(?:compat\.v1\.)?(?:random_\w+|truncated_normal)$", NUMBERS),
    (r"tensorflow\.keras\.random\.(?!SeedGenerator)\w+$", NUMBERS),
    (r"(?:gym|gymnasium|gymnax|pettingzoo|dm_env|ale_py)\.", PLAYS),
    (r"sklearn\.utils\.(?:shuffle|resample)$", ORDERS),
    (r"sklearn\.model_selection\.train_test_split$", ORDERS),
    (r"sklearn\.datasets\.make_\w+$", ORDERS),
    (r"tensorflow\.(?:compat\.v1\.)?train\.(?:string|slice|range)?_?input_producer$", ORDERS),
    (r"tensorflow\.(?:compat\.v1\.)?train\.\w*shuffle_batch\w*$", ORDERS),
    (r"tensorflow\.data\.Dataset\.list_files$", ORDERS),
    (r"tensorflow\.keras\.(?:utils|preprocessing(?:\.\w+)?)\.\w+_dataset_from_directory$", ORDERS),
    (r".*\.read_data_sets$", ORDERS),
    (r".*\.(?:numpy|pandas)_input_fn$", ORDERS),
    (r"tensorflow\.(?:compat\.v1\.)?(?:Variable|get_variable|placeholder\w*)$", NONE),
    (r"tensorflow\.(?:compat\.v1\.)?data\.Iterator\.from_structure$", NONE),
    (r"tensorflow\.data\.Dataset\.from_(?:sparse_)?tensor(?:s|_slices)$", HOLDS),
    (r"tensorflow\.keras\.\w+\.(?:\w+\.)?timeseries_dataset_from_array$", HOLDS),
    (r"tensorflow\.keras\.datasets\.", READS),
    (r"tensorflow_datasets\.(?:load|as_numpy|builder)$", READS),
    (r"tensorflow_datasets\.ReadConfig$", NONE),
    (r"tensorflow\.data\.experimental\.make_(?:csv|batched_features)_dataset$", ORDERS),
    (r"tensorflow\.data\.(?:experimental\.)?(?:\w+Dataset|make_\w+)$", READS),
    (r"tensorflow\.data\.Dataset\.(?:range|load)$", READS),
    (r"tensorflow\.(?:io|gfile)\.", READS),
    (r"(?:numpy|jax\.numpy)\.(?:load|loadtxt|genfromtxt|memmap|fromfile|fromstring)$", READS),
    (r"pandas\.read_\w+$", READS),
    (r"sklearn\.datasets\.(?:load|fetch)_\w+$", READS),
    (r"scipy\.io\.", READS),
    (r"(?:h5py|PIL|cv2|imageio|skimage\.io|librosa|soundfile)\.", READS),
    (r"(?:datasets|csv|json|pickle|joblib|zarr)\.", READS),
    (r"(?:builtins|io|codecs|gzip|bz2)\.open$", READS),
    (r"(?:os\.(?:listdir|scandir|walk)|glob\.\w+|pathlib\.Path)$", READS),
)  # fmt: skip
_CALLS = Rows(_ROWS)
# Modules whose functions give nothing that they are not given.
_PURE = re.compile(
    r"(?:tensorflow|numpy|jax|keras|tf_keras|horovod|math|cmath|builtins|operator|itertools|functools|"
    r"collections|copy|os|sys|time|datetime|re|string|typing|dataclasses|argparse|absl|logging|"
    r"warnings|abc|contextlib|types|enum|random|pandas|scipy|sklearn|six|tqdm|pathlib|shutil|"
    r"matplotlib|transformers|tensorflow_hub|tensorflow_addons|tensorflow_probability|platform|"
    r"optuna|keras_tuner|mpi4py|uuid|socket|hashlib|threading|multiprocessing|concurrent|queue|gc|"
    r"inspect|textwrap|pprint|statistics|fractions|decimal|numbers|struct|array|heapq|bisect)(?:\.|$)"
)
# What worker 0 has comes to all by these.
BROADCASTS = frozenset(
    f"horovod.{module}.{name}"
    for module in ("tensorflow", "tensorflow.keras", "keras")
    for name in ("broadcast", "broadcast_object")
)
# They give names of files.
LISTING = words(
    "glob.glob os.listdir tensorflow.io.gfile.glob tensorflow.io.gfile.listdir "
    "tensorflow.data.Dataset.list_files"
)
# Of a dataset or array: the same examples in an order by chance.
SHUFFLES = words("shuffle permutation permuted shuffle_and_repeat")
# What a graph of TensorFlow 1 keeps by a name: what puts something there, what takes it out.
_COLLECTS = re.compile(r"tensorflow\.(?:compat\.v1\.)?(?:add_to_collections?|losses\.(?!get_)\w+)$")
_COLLECTED = re.compile(r"tensorflow\.(?:compat\.v1\.)?(?:get_collection|losses\.get_\w+)$")
# Of a dataset: they give what the function makes of it, or of its elements.
APPLYING = words("apply flat_map interleave filter window group_by_window")
# Of Keras' image generators: all of what they are given, in an order by NumPy's chance.
FLOWS = words("flow flow_from_directory flow_from_dataframe next_batch")
# Of a generator of numbers.
PICKING = words("choice choices integers randint randrange random_integers sample")
# They ask a value for something that holds no examples.
PLAIN_MEMBERS = words(
    "shape dtype ndim size name get_shape cardinality element_spec output_shapes learning_rate lr"
)
PLAIN_CALLS = words("len range print isinstance type shape size rank")
# Arguments by which one call, or the generator that it makes, is seeded; and switches it off.
SEED_ARGUMENTS = words("seed random_state rng shuffle_seed")
SHUFFLE_ARGUMENTS = words("shuffle shuffle_files")
GENERATORS = words(
    "numpy.random.default_rng numpy.random.RandomState random.Random numpy.random.Generator "
    "tensorflow.random.Generator.from_seed"
)
UNSEEDED_GENERATORS = words("tensorflow.random.Generator.from_non_deterministic_state")


def gives(canonical: str) -> str | None:
    """What a call of that name gives, one of the words above; None where no row says."""
    return _CALLS.first(canonical)


def is_pure(canonical: str) -> bool:
    """Whether a function of that name gives no examples but those that it is given."""
    return _PURE.match(canonical) is not None


def collects(canonical: str) -> bool:
    """Whether a function puts what it gets, or gives, into a collection of the graph."""
    return _COLLECTS.match(canonical) is not None


def is_collected(canonical: str) -> bool:
    """Whether a function gives what such a collection holds."""
    return _COLLECTED.match(canonical) is not None
