"""Which expressions only compute: leaving them to one worker changes nothing for the others (R04).

Plain data and two questions. Whatever is not listed counts as having an effect.
"""

from __future__ import annotations

import re

from .agreement import is_rank, is_size
from .words import table, words

_PURE = table("""
builtins: abs all any ascii bin bool bytes callable chr complex dict dir divmod enumerate filter
  float
  format frozenset getattr hasattr hash hex id int isinstance issubclass len list map max min object
  oct ord pow range repr reversed round set slice sorted str sum super tuple type vars zip
time: time perf_counter monotonic process_time time_ns perf_counter_ns strftime localtime gmtime
  ctime sleep
os: getcwd getpid listdir scandir walk cpu_count fspath
sys: getsizeof
json: dumps
pickle: dumps
glob: glob iglob
cv2: cvtColor imread resize
imageio: imread mimread
imageio.v2: imread mimread
imageio.v3: imread
matplotlib.pyplot: imread
skimage.io: imread
pprint: pformat
copy: copy deepcopy
dataclasses: asdict astuple fields is_dataclass
itertools: combinations combinations_with_replacement islice permutations product zip_longest
collections: Counter OrderedDict
pathlib: Path PurePath
pandas: DataFrame Series concat
PIL.Image: fromarray new open
csv: writer DictWriter
tensorflow: abs add add_n argmax argmin argsort as_dtype boolean_mask broadcast_to cast
  clip_by_value
  concat constant convert_to_tensor cos divide equal executing_eagerly exp expand_dims fill floor
  gather gather_nd get_static_value greater greater_equal identity is_tensor less less_equal
  linspace
  logical_and logical_not logical_or matmul maximum minimum multiply norm not_equal one_hot ones
  ones_like pow range rank reduce_all reduce_any reduce_max reduce_mean reduce_min reduce_prod
  reduce_sum reshape reverse round shape sigmoid sign sin size slice sort
  split sqrt square squeeze stack stop_gradient subtract tanh tensordot tile timestamp transpose
  truediv unstack where zeros zeros_like
tensorflow.config: list_physical_devices list_logical_devices get_visible_devices
tensorflow.config.experimental: list_physical_devices list_logical_devices get_memory_info
tensorflow.data.experimental: cardinality
tensorflow.image: encode_jpeg encode_png grayscale_to_rgb rgb_to_grayscale
tensorflow.io: encode_base64 encode_jpeg encode_png serialize_tensor
tensorflow.io.gfile: exists isdir listdir glob
tensorflow.nn: log_softmax relu sigmoid softmax
tensorflow: get_default_graph get_default_session
tensorflow.compat.v1: get_default_graph get_default_session
tensorflow.test: gpu_device_name is_built_with_cuda is_gpu_available
tensorflow.train: latest_checkpoint list_variables
tensorflow.compat.v1.train: latest_checkpoint list_variables
tensorflow.keras.backend: count_params eval floatx get_value int_shape learning_phase
tensorflow.keras.utils: array_to_img to_categorical
""")
_NAMESPACES = (
    "math. cmath. statistics. operator. string. textwrap. os.path. os.environ. platform. datetime. "
    "calendar. tensorflow.math. tensorflow.strings. tensorflow.linalg. tensorflow.dtypes. "
    "sklearn.metrics. numpy. logging. absl.logging."
)
_EXCEPT = re.compile(
    r"numpy\.(?:random\.|(?:save|load|put|copyto|place|fromfile|set|fill_diagonal|memmap|nditer)\w*)"
    r"|logging\.(?:basicConfig|(?:add|set|shutdown|disable|config|handlers)\w*|\w*Handler)"
    r"|absl\.logging\.set\w*|os\.environ\.(?:pop|update|setdefault|clear|popitem)"
)
# Losses and metrics as functions: tf.keras.losses.mean_squared_error(y, p).
_FUNCTIONS = re.compile(r"tensorflow\.keras\.(?:losses|metrics)\.[a-z]\w*")

METHODS = words(
    """
    numpy item tolist result value read_value get_weights get_config get_layer get_shape as_list
    get_vocabulary vocabulary_size
    count_params to_json to_yaml is_fully_defined cardinality _decayed_lr
    format format_map join split rsplit splitlines partition rpartition strip lstrip rstrip
    upper lower title capitalize swapcase ljust rjust center zfill replace startswith endswith
    count index find inverse_transform
    rfind encode decode hex isdigit isoformat strftime total_seconds timestamp date
    keys values items get copy most_common bit_length
    mean sum std var min max argmax argmin round astype reshape flatten ravel transpose squeeze
    dot any all nonzero cumsum prod tobytes clip conj
    head tail describe to_string to_numpy to_dict value_counts unique nunique isnull isna
    sort_values sort_index abs median quantile corr
    exists is_file is_dir resolve absolute as_posix with_suffix with_name relative_to joinpath
    hexdigest
    """
)
# These tell a person something, and stand alone for that.
TELLING = words("debug info warning warn error critical exception log")
# These go through an iterator, which is then used up for everybody who reads it later.
_LAZY = table("""
builtins: enumerate filter map reversed zip
itertools: combinations combinations_with_replacement islice permutations product zip_longest
""")
CONSUMERS = _LAZY | table("builtins: all any dict frozenset list max min set sorted sum tuple")
ITERATORS = _LAZY | table("builtins: iter open")


_PREFIXES = tuple(_NAMESPACES.split())

# What gives a text or a number of what it is given, and nothing else.
OF_TEXTS = table("os.path: abspath basename dirname expanduser join normpath splitext")
OF_NUMBERS = table("builtins: float int round str")
# What reads no iterator: that would run where it is read, and not where it is made.
AT_ONCE = table("builtins: abs bool float format int len repr round str")
# What gives the same whenever it is asked with the same arguments, or nothing that is data.
SAME_AGAIN = (
    r"tensorflow\.(?:compat\.v1\.)?(?!compat\.|random|data\.|io\.|py_func|numpy_function|summary\.|"
    r"truncated_normal|multinomial|read_file|train\.\w*(?:batch|_producer)\w*$|contrib\.)|horovod\.|time\.|"
    r"math\.|numpy\.(?!random\.|load)|builtins\.(?:print|range|len|zip|float|int|str|list|tuple|dict|"
    r"format|abs|sum|min|max|round|isinstance|enumerate|super)$"
)


def only_computes(canonical: str) -> bool:
    """Whether calling the library thing of that canonical name has no effect on later code."""
    if canonical in _PURE or _FUNCTIONS.fullmatch(canonical):
        return True
    if is_rank(canonical) or is_size(canonical):
        return True
    return canonical.startswith(_PREFIXES) and not _EXCEPT.match(canonical)
