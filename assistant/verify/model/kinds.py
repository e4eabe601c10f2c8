"""What the kinds of TensorFlow's and Horovod's operations mean for the model."""

from __future__ import annotations

COLLECTIVES = frozenset(
    f"Horovod{name}"
    for name in (
        "Allreduce",
        "GroupedAllreduce",
        "Allgather",
        "GroupedAllgather",
        "Broadcast",
        "BroadcastInplace",
        "Reducescatter",
        "GroupedReducescatter",
        "Alltoall",
        "Join",
    )
)
# These give each worker a part of its own.
PARTING = frozenset({"HorovodReducescatter", "HorovodGroupedReducescatter", "HorovodAlltoall"})
VARIABLES = frozenset({"VarHandleOp", "VariableV2", "Variable", "TemporaryVariable"})
REFERENCES = VARIABLES - {"VarHandleOp"}  # TensorFlow 1: whoever takes one reads it there
# What hands its first input on without a copy, as TensorFlow's kernels do (`forward_input`, or a
# tensor over the same buffer): of a variable of TensorFlow 1 it is read by whoever takes that.
SHARING = frozenset(
    {
        "Reshape",
        "Squeeze",
        "ExpandDims",
        "StopGradient",
        "PreventGradient",
        "CheckNumerics",
        "CheckNumericsV2",
        "EnsureShape",
        "Bitcast",
        "PlaceholderWithDefault",
        "DebugIdentity",
        "DebugIdentityV2",
        "Print",
    }
)
# These share it or copy it, by their arguments: they may read, and so may whoever takes it.
MAY_SHARE = frozenset(
    {"Slice", "StridedSlice", "Split", "SplitV", "Unpack", "Transpose", "Pack", "BroadcastTo"}
)
SHAPES = frozenset({"Shape", "ShapeN", "Rank", "Size", "VariableShape"})  # and no values
READING = frozenset({"ReadVariableOp", "VarIsInitializedOp", "IsVariableInitialized"})
ADDING = frozenset(
    {
        "AssignAdd",
        "AssignSub",
        "AssignAddVariableOp",
        "AssignSubVariableOp",
        "ApplyGradientDescent",
        "ResourceApplyGradientDescent",
        "ResourceScatterAdd",
        "ResourceScatterSub",
        "ScatterAdd",
        "ScatterSub",
    }
)
SETTING = frozenset({"Assign", "AssignVariableOp", "HorovodBroadcastInplace"})
WRITING = ("Assign", "Apply", "SparseApply", "Scatter")  # what references are given to, to change
PASSING = frozenset(
    {
        "Identity",
        "IdentityN",
        "Enter",
        "RefEnter",
        "RefIdentity",
        "Exit",
        "RefExit",
        "NextIteration",
        "RefNextIteration",
        "Switch",
        "RefSwitch",
        "Merge",
        "RefMerge",
    }
)
SWITCHES = frozenset({"Switch", "RefSwitch"})
MERGES = frozenset({"Merge", "RefMerge"})
BACK = frozenset({"NextIteration", "RefNextIteration"})
EXITS = frozenset({"Exit", "RefExit"})
CALLS = frozenset({"PartitionedCall", "StatefulPartitionedCall"})
BRANCHES = frozenset({"If", "StatelessIf", "Case", "StatelessCase"})
SCANS = frozenset({"ScanDataset", "ExperimentalScanDataset"})
LOOPS = frozenset({"While", "StatelessWhile"})
FED = frozenset({"Placeholder", "PlaceholderV2", "PlaceholderWithDefault"})
MUTEXES = frozenset({"MutexV2"})  # a queue of one entry: who puts it there has locked it
UNORDERED = MUTEXES | {"RandomShuffleQueueV2", "RandomShuffleQueue", "PriorityQueueV2"}
QUEUES = UNORDERED | {"FIFOQueueV2", "FIFOQueue", "PaddingFIFOQueueV2", "PaddingFIFOQueue"}
STAGES = ("Stage", "Unstage")  # a queue that is known by its name alone
SEVERAL = frozenset(
    f"Queue{name}{version}"
    for name in ("EnqueueMany", "DequeueMany", "DequeueUpTo")
    for version in ("", "V2")
)
ENQUEUES = frozenset(
    {"QueueEnqueueV2", "QueueEnqueue", "QueueEnqueueManyV2", "QueueEnqueueMany", "MutexLock"}
)
DEQUEUES = SEVERAL - ENQUEUES | {"QueueDequeueV2", "QueueDequeue", "ConsumeMutexLock"}
# Said to have state, but decided by their inputs alone on every worker.
DECIDED = frozenset(
    {
        "Assert",
        "Print",
        "PrintV2",
        "NoOp",
        "HorovodSize",
        "StatelessRandomGetAlg",
        "StatelessRandomGetKeyCounter",
        "TensorArrayV3",
        "TensorArrayReadV3",
        "TensorArrayWriteV3",
        "TensorArrayGatherV3",
        "TensorArrayScatterV3",
        "TensorArraySizeV3",
        "TensorArrayConcatV3",
        "TensorArraySplitV3",
        "TensorArrayGradV3",
        "TensorArrayCloseV3",
    }
)
OWN = frozenset({"HorovodRank", "HorovodLocalRank", "HorovodLocalSize", "HorovodCrossRank"})


def collective(kind: str) -> str:
    """`allreduce` of `HorovodGroupedAllreduce`, in the words of a report."""
    plain = kind.removeprefix("Horovod").removeprefix("Grouped").removesuffix("Inplace")
    return plain.lower()
