"""The environment in which `horovodrun`, Open MPI and Slurm start a worker; options beside it.

What they name differs from worker to worker, or says how many there are; the rest of the
environment is handed on to all of them, but for what each machine and shell sets by itself.
"""

from __future__ import annotations

from .words import words

VARIABLES = words(
    """
    HOROVOD_RANK HOROVOD_LOCAL_RANK HOROVOD_CROSS_RANK OMPI_COMM_WORLD_RANK
    OMPI_COMM_WORLD_LOCAL_RANK OMPI_COMM_WORLD_NODE_RANK PMI_RANK PMIX_RANK MPI_LOCALRANKID
    MV2_COMM_WORLD_RANK MV2_COMM_WORLD_LOCAL_RANK SLURM_PROCID SLURM_LOCALID RANK LOCAL_RANK
    PALS_RANKID PALS_LOCAL_RANKID ALPS_APP_PE FLUX_TASK_RANK JSM_NAMESPACE_RANK
    JSM_NAMESPACE_LOCAL_RANK
    """
)
# What of that is a number among the workers of one machine.
OF_MACHINES = frozenset(n for n in VARIABLES if "LOCAL" in n or n.endswith("NODE_RANK"))
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
# What a machine, or the shell of a person on it, sets by itself.
OWN_VARIABLES = words(
    """
    HOSTNAME HOST COMPUTERNAME SLURMD_NODENAME SLURM_NODEID TMPDIR SSH_CLIENT SSH_CONNECTION SSH_TTY
    """
)


def option_name(flag: str) -> str:
    """The attribute that `argparse` stores an option of the command line in."""
    return flag.lstrip("-").replace("-", "_")


# Libraries that try one setting after the other, each trial a training of its own: these are what
# their workers share out (https://keras.io/keras_tuner/guides/distributed_tuning/).
TUNERS = ("keras_tuner.", "kerastuner.")
OF_TUNERS = "KERASTUNER_TUNER_ID, KERASTUNER_ORACLE_IP, KERASTUNER_ORACLE_PORT"
