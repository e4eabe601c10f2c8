"""What each part of Horovod is to a program of one worker: nothing, its argument, or a number.

https://horovod.readthedocs.io/en/stable/api.html, Horovod 0.28; of one worker every average is the
value itself, and a broadcast brings what is there already.
"""

from __future__ import annotations

import re

from .callbacks import BACKUP, TERMINATE_ON_NAN
from .names import in_v1
from .rerun_loops import SEEDED as SEEDED_DRAWS
from .words import words

_PARTS = re.compile(r"horovod\.(?:tensorflow\.keras|tensorflow|keras)\.(.+)")
RANKS = words("rank local_rank cross_rank")
SIZES = words("size local_size cross_size")
# What they give is what they are called with.
IDENTITIES = words(
    """
    DistributedOptimizer PartialDistributedOptimizer DistributedGradientTape
    PartialDistributedGradientTape allreduce grouped_allreduce allgather allgather_object broadcast
    broadcast_object synchronize
    """
)
# They do nothing: a statement that calls one falls away, and so does one in a list.
NOTHING = words(
    """
    init shutdown barrier join broadcast_variables broadcast_global_variables
    BroadcastGlobalVariablesHook callbacks.BroadcastGlobalVariablesCallback
    callbacks.MetricAverageCallback callbacks.LearningRateWarmupCallback
    """
)


def part(full: str | None) -> str:
    """`callbacks.MetricAverageCallback` of the full name of a part of Horovod, else nothing."""
    found = _PARTS.fullmatch(full or "")
    return found[1] if found else ""


# Statements that only choose a GPU, by what they call and what they set.
DROPPED = words(
    """
    tensorflow.config.set_visible_devices tensorflow.config.experimental.set_visible_devices
    tensorflow.config.experimental.set_memory_growth
    tensorflow.config.list_physical_devices tensorflow.config.experimental.list_physical_devices
    """
)
# A variable of the environment that says which Keras is meant (D100).
KERAS_CHOICE = "TF_USE_LEGACY_KERAS"
PINNED = words(
    "jit_compile CUDA_VISIBLE_DEVICES gpu_options.visible_device_list gpu_options.allow_growth"
)
# Arguments that a result spells out for rank 0, by what they are if they are missing.
DEFAULTS: dict[str, tuple[object, ...]] = {
    "mode": (None, "async"),  # as the loggers of `experiments` write by themselves
    "disabled": (False,),
    "end_learning_rate": (0.0001,),
    "write_to_disk": (True,),
    "config": (None,),
    "jit_compile": (True, False, "auto"),  # how a step is compiled is no other step
    "persistent": (True, False),  # a tape that is asked more than once gives the same
    "random_state": (0, None),  # one seed for all: no other examples, but another order of them
    "seed": (0, None),
    "verbose": (1, "auto", True),
    "disable": (False,),
    "callbacks": ([], None),
    "hooks": ([], None),
}
# In one order for all workers, of the files that TensorFlow Datasets reads.
READ_CONFIG, SHUFFLED = "tensorflow_datasets.ReadConfig", ("shuffle_seed", 0)
# What says nothing where nothing else is said to it.
NO_SETTINGS = in_v1("ConfigProto", "estimator.RunConfig", "train.ChiefSessionCreator")
# What a result may define for itself, and what a call of it is to one worker: nothing, its
# argument (`_`), or another class.
HELPERS = {
    "average_gradients": "",
    "distributed": "_",
    "broadcast_flag": "",
    "BroadcastState": "",
    "AverageMetrics": "",
    "WarmUpRate": "",
    "SharedBackup": "<BackupAndRestore>",
    "TerminateTogether": "<TerminateOnNaN>",
    "Share": "_",
    "share": "_",
    "own_rows": "_",
    "run_halves": "<run>",
    "run_segments": "<run>",
    "run_binomial": "<run>",
    "run_layer": "<run>",
    "run_layer_training": "<run>",
    **{f"run_{kind}_training": "<run>" for kind in ("halves", "segments", "binomial")},
    "run_steps": "<steps>",
    "run_step": "<steps>",
    "Again": "",
    "next_seed": "",
    "run_again": "",
    "SameDropout": "<Dropout>",
    "SameGaussianNoise": "<GaussianNoise>",
    "OnceBatchNormalization": "<BatchNormalization>",
    "RecomputedSequential": "<Sequential>",
    "RecomputedModel": "<Model>",
    "first_part": "<loop>",
    "loop_step": "<loop>",
    "loop_step_over": "<loop>",
    **{
        f"loop_{kind}{over}{giving}": "<loop>"
        for kind in ("halves", "segments", "binomial")
        for over in ("", "_over")
        for giving in ("", "_giving")
    },
}
MAKES_FOLDERS = ("os.mkdir", "os.makedirs")
STOOD_IN = {
    **dict.fromkeys(MAKES_FOLDERS, "<makedirs>"),
    BACKUP: "<BackupAndRestore>",
    TERMINATE_ON_NAN: "<TerminateOnNaN>",
    "tensorflow.keras.Sequential": "<Sequential>",
    "tensorflow.keras.Model": "<Model>",
    **{
        f"tensorflow.keras.layers.{layer}": f"<{layer}>"
        for layer in ("Dropout", "GaussianNoise", "BatchNormalization")
    },
    # By a seed that is new each time they draw as those without one do.
    **{name: f"<{name}>" for name in SEEDED_DRAWS},
    **{seeded: f"<{name}>" for name, (seeded, _) in SEEDED_DRAWS.items()},
}
GRADIENTS = in_v1("gradients")
# `numpy.random.RandomState(0)` draws as its module does.
SEEDED = {
    "numpy.random.RandomState": "np.random",
    "numpy.random.default_rng": "np.random",
    "random.Random": "random",
}
# What has no order of its own, so that a sorted list of it is one of its lists.
UNORDERED = words(
    "set frozenset glob.glob os.listdir tensorflow.io.gfile.glob tensorflow.io.gfile.listdir"
)
SESSIONS = in_v1("Session", "InteractiveSession")
# Calls that change nothing, and of which nobody sees when they are made.
QUIET = words("len slice range zip list tuple dict isinstance max min int float str id")
MAKES = re.compile(r"(?:^|\.)[A-Z]\w*$")
# Methods of data sets that give every so many-th element.
SHARES = words("shard")
