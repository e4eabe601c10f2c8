"""Whose own is what a call gives? One table of all that asks: one row an API, the first one counts.

What makes values differ between workers, what all are told, what is read, what computes the same
from the same; which calls seed which numbers of chance. Horovod's interface, Python's, NumPy's.
"""

from __future__ import annotations

import re

from .first_row import Rows
from .names import KERAS
from .words import table, words

# What a call gives, in a word: by the worker's number; the same for all, whatever each of them
# brings; numbers of chance, which a seed makes alike; what makes such numbers; what nothing makes
# alike; a machine's own; a person's; by how Python hashes texts in this process; in the order of a
# file system; a part of what it goes through; something else of this process; what stands in a
# file, and the numbers in one; the same for the same arguments; what a server says just then; what
# goes on in an environment, or in another thread; whatever a text says that is run.
RANK, TOLD, CHANCE, GENERATOR, CLOCK = "rank", "told", "chance", "generator", "clock"
HOST, PERSON, HASH, LISTING, TURN = "host", "person", "hash", "listing", "turn"
PLACE, OPENED, NUMBERS, EQUAL, SIZE = "place", "opened", "numbers", "equal", "size"
SEEDING, SOURCE, SERVED = "seeding", "chance of another library", "served"
WORLD, TEXT = "world", "text that is run"
_HOROVOD = r"horovod\.(?:\w+\.)*"
_TF = r"tensorflow\.(?:compat\.v1\.)?"

_ROWS: tuple[tuple[str, str], ...] = (
    # by the worker's number, and what Horovod tells all of them
    (_HOROVOD + r"(?:rank|local_rank|cross_rank)$", RANK),
    (r"mpi4py\.MPI\.COMM_WORLD\.(?:Get_rank|rank)$", RANK),
    (_HOROVOD + r"(?:size|local_size|cross_size)$", SIZE),
    (r"mpi4py\.MPI\.COMM_WORLD\.(?:Get_size|size)$", SIZE),
    (
        _HOROVOD
        + r"(?:(?:grouped_)?(?:allreduce|allgather|broadcast)(?:_|_object|_async|_async_)?"
        r"|allgather_object|synchronize|is_initialized|join)$",
        TOLD,
    ),
    # clocks, and what else no seed makes alike
    (r"time\.(?!sleep|strptime)\w+$", CLOCK),
    (r"datetime\.(?:\w+\.)*(?:now|today|utcnow)$", CLOCK),
    (r"(?:pendulum|arrow)\.(?:now|today|utcnow)$", CLOCK),
    (r"tensorflow\.timestamp$", CLOCK),
    (r"uuid\.uuid[35]$", EQUAL),
    (r"uuid\.uuid[14]$", CLOCK),
    (r"os\.(?:getpid|getppid|urandom|times|getloadavg)$", CLOCK),
    (r"(?:shutil\.disk_usage|os\.statvfs)$", CLOCK),
    (r"os\.path\.get[acm]time$", CLOCK),  # when a machine has got it
    (r"(?:secrets|psutil|resource)\.(?!cpu_count)\w+", CLOCK),
    (r"random\.SystemRandom\b", CLOCK),
    (r"tensorflow\.random\.Generator\.from_non_deterministic_state$", CLOCK),
    (r"builtins\.id$", CLOCK),
    (r"tensorflow_addons\.callbacks\.TimeStopping$", CLOCK),
    # numbers of chance
    (r"(?:random|numpy\.random)\.seed$", SEEDING),
    (r"tensorflow\.random\.set_seed$", SEEDING),
    (r"tensorflow\.random\.stateless_\w+$", EQUAL),
    (r"(?:numpy\.random\.(?:default_rng|RandomState)$|random\.Random$)", GENERATOR),
    (r"numpy\.random\.(?:PCG64\w*|MT19937|Philox|SFC64)$", GENERATOR),
    (KERAS + r"\.random\.SeedGenerator$", GENERATOR),
    (_TF + r"random\.(?!Generator|get_|create_|experimental\.Generator)[a-z]\w+$", CHANCE),
    (_TF + r"(?:random_\w+|truncated_normal|multinomial)$", SOURCE),
    (r"(?:random|numpy\.random)\.(?![gs]et_?state)[a-z]\w+$", CHANCE),
    (r"(?:random|numpy\.random|tensorflow\.random)\.\w+", PLACE),
    (KERAS + r"\.random\.[a-z]\w+$", SOURCE),
    (r"scipy\.stats\.(?:\w+\.)+rvs$", SOURCE),
    (r"torch\.(?:rand|randn|randint|randperm|bernoulli|multinomial|normal)(?:_like)?$", SOURCE),
    # of a machine, a person, a process, a file system
    (r"(?:platform\.node$|socket\.(?:gethostname|getfqdn|gethostbyname)$)", HOST),
    (r"(?:os\.uname$|uuid\.getnode$)", HOST),
    (r"(?:os|multiprocessing|psutil)\.(?:process_)?cpu_count$", HOST),
    (r"(?:builtins\.input$|getpass\.getpass$|click\.(?:prompt|confirm|getchar)$)", PERSON),
    (r"sys\.stdin\.read\w*$", PERSON),
    (r"(?:os\.popen|subprocess\.(?:check_output|run|getoutput|Popen))$", HOST),
    (r"builtins\.hash$", HASH),
    (r"builtins\.(?:next|iter)$", TURN),
    (r"(?:socket|uuid|tempfile)\.\w+", PLACE),
    (r"(?:os\.(?:listdir|scandir|walk)$|glob\.i?glob$)", LISTING),
    (r"tensorflow\.io\.gfile\.(?:glob|listdir|walk)$", LISTING),
    # of a file
    (r"(?:builtins|io|codecs)\.open$", OPENED),
    (r"tensorflow\.(?:io\.gfile\.GFile|gfile\.(?:GFile|Open))$", OPENED),
    (r"numpy\.(?:load|fromfile|memmap|genfromtxt|loadtxt)\w*$", NUMBERS),
    (r"(?:omegaconf|hydra)\.", OPENED),
    (r"(?:requests|httpx)\.(?:get|post|put|patch|request)$", SERVED),
    (r"urllib\.request\.urlopen$", SERVED),
    (r"(?:gym|gymnasium)\.(?:make|vector\.make|make_vec)$", WORLD),
    (r"threading\.(?:Event|Condition|Semaphore)$", WORLD),
    (r"queue\.\w*Queue$", WORLD),
    (r"multiprocessing\.(?:Queue|SimpleQueue|Event|Value)$", WORLD),
    (_TF + r"train\.Coordinator$", WORLD),
    (r"builtins\.eval$", TEXT),
    # functions of their arguments
    (r"(?:argparse|absl\.flags|math|cmath|operator|statistics|string|textwrap|calendar)\.", EQUAL),
    (r"(?:bisect|configparser)\.", EQUAL),
    (r"(?:copy|functools|itertools|collections|typing|dataclasses|enum|json|re)\.", EQUAL),
    (r"os\.(?:path\.(?:join|basename|dirname|splitext|abspath|normpath)|getenv|environ)\b", EQUAL),
    (r"pathlib\.(?:Pure)?Path$", EQUAL),
    (r"(?:absl\.app|click|tqdm|fire|typer)\.", EQUAL),
    (r"(?:yaml|ruamel\.yaml|toml|tomli|tomllib|json5|easydict|munch|addict|attrdict|box)\.", EQUAL),
    (r"(?:bunch|dotmap|dotdict|ml_collections|yacs|configargparse|docopt|pprint)\.", EQUAL),
    (r"builtins\.__(?:doc|file|name|package)__$", EQUAL),
    (r"types\.SimpleNamespace$", EQUAL),
    (
        r"builtins\.(?:abs|all|any|ascii|bin|bool|bytes|callable|chr|complex|dict|divmod|enumerate|"
        r"filter|float|format|frozenset|getattr|hasattr|hex|int|isinstance|issubclass|len|list|map|"
        r"max|min|object|oct|ord|pow|print|range|repr|reversed|round|set|slice|sorted|str|sum|tuple|"
        r"type|vars|zip)$",
        EQUAL,
    ),
    (r"numpy\.", EQUAL),
    (
        _TF + r"(?:cast|constant|convert_to_tensor|equal|not_equal|less|less_equal|greater|"
        r"greater_equal|logical_and|logical_or|logical_not|identity|size|shape|rank|minimum|maximum|"
        r"zeros|ones|range|reshape|abs|add|subtract|multiply|divide|math\.\w+|Variable|"
        r"executing_eagerly|train\.Checkpoint)$",
        EQUAL,
    ),
    (
        _TF + r"(?:clip_by_\w+|square|sqrt|exp|log|pow|sign|negative|matmul|transpose|concat|"
        r"stack|squeeze|expand_dims|argmax|argmin|one_hot|gather|tile|fill|\w+_like|where|"
        r"stop_gradient|div|truediv|floordiv|mod|linalg\.\w+)$",
        EQUAL,
    ),
    (r"tensorflow(?:\.compat\.v1)?\.(?:app\.run|app\.flags|flags)\b", EQUAL),
)  # fmt: skip
_GIVES = Rows(_ROWS)
# For the question whether all have the same: what is told is so, and what nobody knows is not.
OWN, READ, SAME = "own", "read", "same"
_ANSWERS = {
    **dict.fromkeys((RANK, CHANCE, GENERATOR, CLOCK, HOST, PERSON, HASH, TURN), OWN),
    PLACE: OWN,
    NUMBERS: OWN,
    OPENED: READ,
    TOLD: SAME,
    SIZE: SAME,
    EQUAL: SAME,
}
_DIFFER = (CHANCE, CLOCK, HOST)  # in each process, for certain
# Of whatever value: the workers train the same model with batches of the same shape.
# A rate that one worker sets for itself is refused where it is set (T07).
SHARED_MEMBERS = words("shape get_shape dtype ndim iterations learning_rate lr")
# What a model is asked with, and says the same: what is printed, how much it takes at a time.
OF_SHOWING = words("verbose batch_size steps")
# The workers' data has the same length: the rules of the data see to that.
LENGTHS = frozenset({"builtins.len"})
# They ask for nothing but the form of what they are called with.
OF_SHAPES = LENGTHS | table("tensorflow: shape size rank zeros_like ones_like")
# What they give stands in a file, which may be another one on each machine.
READS = table("""
builtins: open
json: load loads
pickle: load loads
yaml: load safe_load
numpy: load loadtxt genfromtxt
pandas: read_csv read_json
tensorflow.io.gfile: GFile
tensorflow.io: read_file
""")
# They count: how far depends on their arguments.
RANGES = frozenset(
    {"builtins.range", *(f"tqdm.{part}trange" for part in ("", "auto.", "notebook.", "std."))}
)
COUNTERS = RANGES | {"tensorflow.range", "numpy.arange"}
# Of a number they make another one that says as much.
_RECKONED = re.compile(
    r"builtins\.(?:int|bool|float|str|abs|min|max|any|all|divmod|sum|round)$|operator\.\w+$"
    r"|tensorflow\.(?:cast|constant|convert_to_tensor|equal|not_equal|less|less_equal|greater"
    r"|greater_equal|logical_\w+|identity)$"
)

_METRICS = re.compile(KERAS + r"\.metrics\.[A-Z]\w*$")


def gives(canonical: str) -> str | None:
    """What a call of that name gives, one of the words above; None where no row says."""
    return _GIVES.first(canonical)


def agreement(canonical: str) -> str | None:
    """OWN, READ (of a file), SAME (for the same arguments), or None where no row says."""
    return _ANSWERS.get(gives(canonical) or "")


def is_rank(canonical: str) -> bool:
    """Whether a function of that name gives the worker's number."""
    return gives(canonical) == RANK


def is_size(canonical: str) -> bool:
    """Whether a function of that name gives the number of workers, of all or of one machine."""
    return gives(canonical) == SIZE


def is_told(canonical: str) -> bool:
    """Whether all workers get the same from it, whatever each of them brings."""
    return gives(canonical) in (TOLD, SIZE)


def is_own(canonical: str) -> bool:
    """Whether a function gives each worker something else: its clock, its random numbers."""
    return gives(canonical) in _DIFFER or canonical == "numpy.random.default_rng"


def lists(canonical: str) -> bool:
    """Whether it gives the names that are in a folder."""
    return gives(canonical) == LISTING


def is_reckoned(canonical: str) -> bool:
    """Whether what a function of that name gives says as much as the number that it is given."""
    return _RECKONED.match(canonical) is not None


def is_metric(canonical: str) -> bool:
    """Whether it makes something that keeps a mean, or a count, of what a worker has seen."""
    return _METRICS.match(canonical) is not None
