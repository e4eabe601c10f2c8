"""What makes a value another one on each worker by its number, and what all workers are told.

Horovod's interface; the environment in which `horovodrun`, Open MPI and Slurm start a worker.
"""

from __future__ import annotations

import re

from .words import words

_HOROVOD = r"horovod\.(?:\w+\.)*"
_RANK = (
    _HOROVOD + r"(?:rank|local_rank|cross_rank)$"
    r"|mpi4py\.MPI\.COMM_WORLD\.(?:Get_rank|rank)$"
)
_SIZE = (
    _HOROVOD + r"(?:size|local_size|cross_size)$"
    r"|mpi4py\.MPI\.COMM_WORLD\.(?:Get_size|size)$"
)
_TOLD = (
    _HOROVOD + r"(?:grouped_)?(?:allreduce|allgather|broadcast)(?:_|_object|_async|_async_)?$"
    rf"|{_HOROVOD}(?:allgather_object|synchronize|size|local_size|cross_size|is_initialized|join)$"
)
VARIABLES = words(
    """
    HOROVOD_RANK HOROVOD_LOCAL_RANK HOROVOD_CROSS_RANK OMPI_COMM_WORLD_RANK
    OMPI_COMM_WORLD_LOCAL_RANK OMPI_COMM_WORLD_NODE_RANK PMI_RANK PMIX_RANK MPI_LOCALRANKID
    MV2_COMM_WORLD_RANK MV2_COMM_WORLD_LOCAL_RANK SLURM_PROCID SLURM_LOCALID RANK LOCAL_RANK
    PALS_RANKID PALS_LOCAL_RANKID ALPS_APP_PE FLUX_TASK_RANK JSM_NAMESPACE_RANK
    JSM_NAMESPACE_LOCAL_RANK
    """
)
# The same for how many workers there are.
SIZES = words(
    """
    HOROVOD_SIZE HOROVOD_LOCAL_SIZE HOROVOD_CROSS_SIZE OMPI_COMM_WORLD_SIZE
    OMPI_COMM_WORLD_LOCAL_SIZE OMPI_UNIVERSE_SIZE PMI_SIZE PMIX_SIZE MPI_LOCALNRANKS
    MV2_COMM_WORLD_SIZE MV2_COMM_WORLD_LOCAL_SIZE SLURM_NTASKS SLURM_NPROCS WORLD_SIZE
    LOCAL_WORLD_SIZE PALS_LOCAL_SIZE FLUX_JOB_SIZE JSM_NAMESPACE_SIZE JSM_NAMESPACE_LOCAL_SIZE
    """
)
ENVIRONMENT = frozenset({"os.getenv", "os.environ.get", "os.environ"})
# Of a number they make another one that says as much.
_RECKONED = (
    r"builtins\.(?:int|bool|float|str|abs|min|max|any|all|divmod|sum|round)$|operator\.\w+$"
    r"|tensorflow\.(?:cast|constant|convert_to_tensor|equal|not_equal|less|less_equal|greater"
    r"|greater_equal|logical_\w+|identity)$"
)


def is_rank(canonical: str) -> bool:
    """Whether a function of that name gives the worker's number."""
    return re.match(_RANK, canonical) is not None


def is_size(canonical: str) -> bool:
    """Whether a function of that name gives the number of workers, of all or of one machine."""
    return re.match(_SIZE, canonical) is not None


def is_told(canonical: str) -> bool:
    """Whether all workers get the same from it, whatever each of them brings."""
    return re.match(_TOLD, canonical) is not None


def option_name(flag: str) -> str:
    """The attribute that `argparse` stores an option of the command line in."""
    return flag.lstrip("-").replace("-", "_")


_OWN = (
    r"time\.(?!sleep|strptime)\w+$|datetime\.(?:\w+\.)*(?:now|today|utcnow)$|uuid\.uuid[14]$"
    r"|(?:random|numpy\.random|tensorflow\.random|secrets)\.(?!seed|set_seed|stateless_)[a-z]\w+$"
    r"|os\.(?:getpid|urandom|uname)$|platform\.node$|socket\.gethostname$"
)


def is_own(canonical: str) -> bool:
    """Whether a function gives each worker something else: its clock, its random numbers."""
    return re.match(_OWN, canonical) is not None


_BY_CLOCK = re.compile(
    r"time\.(?!sleep|strptime)\w+$|datetime\.(?:\w+\.)*(?:now|today|utcnow)$|uuid\.uuid[14]$"
    r"|os\.(?:getpid|urandom)$|secrets\.\w+$|tensorflow\.timestamp$"
)


def is_by_clock(canonical: str) -> bool:
    """Whether it gives another number in each process, whatever has been seeded."""
    return _BY_CLOCK.match(canonical) is not None


def is_reckoned(canonical: str) -> bool:
    """Whether what a function of that name gives says as much as the number that it is given."""
    return re.match(_RECKONED, canonical) is not None


_COLLECTIVE = (
    _HOROVOD + r"(?:grouped_)?(?P<kind>allreduce|allgather|alltoall|reducescatter|barrier|"
    r"broadcast)(?:_|_async|_async_|_object|_variables|_global_variables|_parameters|"
    r"_optimizer_state)?$"
)
_LEAVES = _HOROVOD + r"join$"


def collective(canonical: str) -> str | None:
    """The kind of a function that waits for all workers; those of one kind meet each other."""
    found = re.match(_COLLECTIVE, canonical)
    return None if found is None else found["kind"]


def is_join(canonical: str) -> bool:
    """Whether it tells the others not to wait any more."""
    return re.match(_LEAVES, canonical) is not None
