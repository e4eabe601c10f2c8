"""What each rule's commit is called, and why it is there in two sentences, for its reviewer."""

from __future__ import annotations

REASONS = {
    "D100": (
        "make tf.keras Keras 2",
        "From TensorFlow 2.16 on `tf.keras` is Keras 3, and Keras 2 was asked for. With this "
        "variable set before the first import it is Keras 2, from the package tf_keras.",
    ),
    "D101": (
        "import Horovod beside TensorFlow",
        "Everything that follows calls Horovod. Importing it alone changes nothing yet.",
    ),
    "D102": (
        "start Horovod and give each process one GPU",
        "Workers find each other in `hvd.init()`, which has to come before any other call of "
        "Horovod. Each process takes the one GPU of its own number, so that no two share one.",
    ),
    "D103": (
        "drop the program's own choice of a GPU",
        "A fixed choice of a GPU would send every worker of a machine to the same one. "
        "`hvd.local_rank()` chooses now.",
    ),
    "D104": (
        "scale learning rates by the number of workers",
        "N workers take one step for an N times larger batch, and such a step may be N times "
        "longer. Without this, an epoch brings training only an Nth as far as before.",
    ),
    "D105": (
        "average the gradients of each optimizer",
        "Each worker computes gradients of its own examples only. They are averaged over all "
        "workers before they are applied, so that every replica takes the same step.",
    ),
    "D106": (
        "divide numbers of steps by the number of workers",
        "All workers take each step together, and each step now covers N times the examples. "
        "So an Nth of the steps covers what one process covered before.",
    ),
    "D107": (
        "give each worker an equal share of the data",
        "Without shares every worker would train on all of the data, and an epoch would be no "
        "shorter. All shares are equally long, because workers with unequal numbers of steps hang.",
    ),
    "D108": (
        "draw one order of the examples for all workers",
        "Workers that draw for themselves have other orders and splits, so that shares overlap. "
        "What one keeps back for testing another would train on.",
    ),
    "D109": (
        "take the batch of one process by all workers together",
        "A step then sees the rows that it saw before, so that rate and number of steps stay. "
        "It is asked for: by default each worker takes a whole batch.",
    ),
    "D201": (
        "average the gradients of each tape",
        "Each worker's tape knows the gradients of its own examples only. They are averaged "
        "over all workers, so that every replica takes the same step.",
    ),
    "D202": (
        "broadcast model and optimizer from worker 0",
        "Every worker starts from random values of its own, or one has restored a checkpoint. "
        "After the first step all take over model and optimizer of worker 0, and stay equal.",
    ),
    "D203": (
        "let only rank 0 print, save and write",
        "N workers that write the same file destroy it, and N copies of every line help "
        "nobody. So only rank 0 prints and writes, while collective calls still run everywhere.",
    ),
    "D204": (
        "give the other workers silent writers and progress bars",
        "A writer that is opened once and used all over can't be guarded at every use. "
        "The other workers get a stand-in that takes the same calls and stays silent.",
    ),
    "D205": (
        "let every worker wait for the files of rank 0",
        "A file that only rank 0 writes may not be there yet when others read it. "
        "A broadcast holds them until it is.",
    ),
    "D206": (
        "tell load_model the class of a wrapped optimizer",
        "A wrapped optimizer is saved under a name that Keras can't resolve when it loads. "
        "So `load_model` is told which class it is.",
    ),
    "D207": (
        "let one worker of each machine download first",
        "Workers that download to one place at once take half a file for a whole one. "
        "The others wait in a broadcast until the first worker of their machine is done.",
    ),
    "D208": (
        "let the rate of a loop grow from that of one worker",
        "The scaled rate is too large for the first steps of some models. In the first epochs "
        "that `warmup` names it grows to its full value.",
    ),
    "D301": (
        "name, scale and wrap the optimizer of compile",
        "An optimizer that `compile` makes for itself has no place where it could be wrapped. "
        "It gets a name, a learning rate for N workers and the wrapper that averages gradients.",
    ),
    "D302": (
        "give fit the callbacks of Horovod",
        "`fit` needs Horovod's callbacks to start all workers from the same variables and to "
        "average the metrics. What writes or draws stays on rank 0, what steers runs everywhere.",
    ),
    "D303": (
        "draw the progress bars of evaluate and predict once",
        "Every worker runs the call, because it may contain collectives and all need its "
        "result. One progress bar is enough.",
    ),
    "D401": (
        "give each session the worker's own GPU",
        "A session takes all GPUs of its machine unless its configuration names one. "
        "Each worker's sees only the GPU of its own number, and takes its memory as it needs it.",
    ),
    "D402": (
        "broadcast the variables of worker 0 in each session",
        "Every worker initialises its variables with random values of its own, or restores them. "
        "Right behind that all take over those of worker 0, and stay equal.",
    ),
    "D403": (
        "start monitored sessions alike; worker 0 alone writes",
        "Horovod's hook broadcasts the variables of worker 0 once they exist or are restored. "
        "Checkpoints, summaries and lines are written by worker 0; hooks that steer run on all.",
    ),
    "D404": (
        "start Estimators alike; worker 0 alone keeps the folder",
        "Horovod's hook broadcasts the variables of worker 0 once they exist or are restored. "
        "Checkpoints and summaries are kept by worker 0; the others use folders of their own.",
    ),
    "D501": (
        "run layers again instead of keeping what they gave",
        "The outputs of all layers are kept until their gradients are computed. "
        "Layers that are run again in halves keep a few of them, for more time.",
    ),
}
