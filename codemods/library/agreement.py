"""Which calls give every worker the same, if they are called with the same; one row an API."""

from __future__ import annotations

from .rows import Rows

OWN, READ, SAME = "own", "read", "same"

_ROWS: tuple[tuple[str, str], ...] = (
    # of this worker alone
    (r"horovod\.(?:\w+\.)*(?:rank|local_rank|cross_rank)$", OWN),
    (r"time\.(?!sleep|strptime)\w+$", OWN),
    (r"datetime\.(?:\w+\.)*(?:now|today|utcnow)$", OWN),
    (r"tensorflow\.random\.stateless_\w+$", SAME),
    (r"(?:random|numpy\.random|tensorflow\.random|secrets)\.(?!seed|set_seed)\w+", OWN),
    (r"tensorflow\.timestamp$", OWN),
    (r"os\.(?:getpid|getppid|urandom|times|getloadavg)$", OWN),
    (r"(?:socket|uuid|tempfile)\.\w+", OWN),
    (r"platform\.node$", OWN),
    (r"builtins\.(?:id|input|next|iter|hash)$", OWN),
    # of a file
    (r"(?:builtins|io|codecs)\.open$", READ),
    (r"tensorflow\.(?:io\.gfile\.GFile|gfile\.(?:GFile|Open))$", READ),
    # functions of their arguments
    (r"horovod\.(?:\w+\.)*(?:size|local_size|cross_size|is_initialized)$", SAME),
    (r"(?:argparse|absl\.flags|math|cmath|operator|statistics|string|textwrap|calendar)\.", SAME),
    (r"(?:copy|functools|itertools|collections|typing|dataclasses|enum|json|re)\.", SAME),
    (r"os\.(?:path\.(?:join|basename|dirname|splitext|abspath|normpath)|getenv|environ)\b", SAME),
    (r"pathlib\.(?:Pure)?Path$", SAME),
    (r"(?:absl\.app|click|tqdm|fire|typer)\.", SAME),
    (r"(?:yaml|ruamel\.yaml|toml|tomli|tomllib|json5|easydict|munch|addict|attrdict|box)\.", SAME),
    (r"types\.SimpleNamespace$", SAME),
    (
        r"builtins\.(?:abs|all|any|ascii|bin|bool|bytes|callable|chr|complex|dict|divmod|enumerate|"
        r"filter|float|format|frozenset|getattr|hasattr|hex|int|isinstance|issubclass|len|list|map|"
        r"max|min|object|oct|ord|pow|print|range|repr|reversed|round|set|slice|sorted|str|sum|tuple|"
        r"type|zip)$",
        SAME,
    ),
    (r"numpy\.(?:load|fromfile|memmap|genfromtxt|loadtxt)\w*$", OWN),
    (r"numpy\.", SAME),
    (
        r"tensorflow\.(?:compat\.v1\.)?(?:cast|constant|convert_to_tensor|equal|not_equal|less|less_equal|greater|"
        r"greater_equal|logical_and|logical_or|logical_not|identity|size|shape|rank|minimum|maximum|"
        r"zeros|ones|range|reshape|abs|add|subtract|multiply|divide|math\.\w+|Variable|"
        r"executing_eagerly|train\.Checkpoint)$",
        SAME,
    ),
    (
        r"tensorflow\.(?:compat\.v1\.)?(?:clip_by_\w+|square|sqrt|exp|log|pow|sign|negative|matmul|transpose|concat|"
        r"stack|squeeze|expand_dims|argmax|argmin|one_hot|gather|tile|fill|\w+_like|where|"
        r"stop_gradient|div|truediv|floordiv|mod|linalg\.\w+)$",
        SAME,
    ),
    (r"tensorflow(?:\.compat\.v1)?\.(?:app\.run|app\.flags|flags)\b", SAME),
)
# Of whatever value: the workers train the same model with batches of the same shape.
# A rate that one worker sets for itself is refused where it is set (T07).
SHARED_MEMBERS = frozenset(
    {"shape", "get_shape", "dtype", "ndim", "iterations", "learning_rate", "lr"}
)
# The workers' data has the same length: the rules of the data see to that.
LENGTHS = frozenset({"builtins.len"})
# They ask for nothing but the form of what they are called with.
OF_SHAPES = LENGTHS | frozenset(
    f"tensorflow.{name}" for name in ("shape", "size", "rank", "zeros_like", "ones_like")
)
# What they give stands in a file, which may be another one on each machine.
READS = frozenset(
    f"{module}.{name}"
    for module, names in (
        ("builtins", "open"),
        ("json", "load loads"),
        ("pickle", "load loads"),
        ("yaml", "load safe_load"),
        ("numpy", "load loadtxt genfromtxt"),
        ("pandas", "read_csv read_json"),
        ("tensorflow.io.gfile", "GFile"),
        ("tensorflow.io", "read_file"),
    )
    for name in names.split()
)
# Every worker is given the same, whatever each of them puts in.
COLLECTIVES = frozenset(
    f"horovod.{module}.{name}"
    for module in ("tensorflow", "tensorflow.keras", "keras")
    for name in ("allreduce", "allgather", "allgather_object", "broadcast", "broadcast_object")
)
# They count: how far depends on their arguments.
RANGES = frozenset(
    {"builtins.range", *(f"tqdm.{part}trange" for part in ("", "auto.", "notebook.", "std."))}
)
COUNTERS = RANGES | {"tensorflow.range", "numpy.arange"}
_ANSWERS = Rows(_ROWS)


def agreement(canonical: str) -> str | None:
    """OWN, READ (of a file), SAME (for the same arguments), or None where no row says."""
    return _ANSWERS.first(canonical)
