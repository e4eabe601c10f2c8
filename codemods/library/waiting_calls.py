"""Which calls wait for all workers, by what they are called on; what traces may differ in.

https://horovod.readthedocs.io/en/stable/concepts.html, https://www.tensorflow.org/guide/function.
"""

from __future__ import annotations

import re

from .callbacks import TERMINATE_ON_NAN
from .names import KERAS, in_v1, normal
from .words import words

_HOROVOD = r"horovod\.(?:\w+\.)*"
_WRAPS = re.compile(_HOROVOD + r"(?:Partial)?Distributed(?:Optimizer|GradientTape)$")
_TAPES = re.compile(_HOROVOD + r"(?:Partial)?DistributedGradientTape$")
_CALLBACKS = re.compile(
    _HOROVOD + r"(?:callbacks\.(?:BroadcastGlobalVariablesCallback|MetricAverageCallback)|"
    r"BroadcastGlobalVariablesHook)$"
)
# Methods that take a step with something of Horovod's: of the object itself, of what it holds (a
# model and what it was compiled with), of what they are given (a session's operations).
OF_ITSELF = words("gradient apply_gradients apply minimize compute_gradients get_gradients")
OF_WHAT_IT_HOLDS = words("fit fit_generator train_on_batch train")
OF_WHAT_IT_GETS = words("run fit fit_generator train train_and_evaluate")
# Methods of what nobody can follow: it may be a model or an optimizer of which the same holds.
OF_WHOM_EVER = words("fit fit_generator train_on_batch minimize")
# Methods that run what code of the program outside code has been given: layers, metrics, callbacks.
RUNNING = words(
    """
    fit fit_generator train_on_batch evaluate evaluate_generator test_on_batch predict
    predict_generator predict_on_batch run train train_and_evaluate
    """
)
_TRACES = frozenset({"tensorflow.function", *in_v1("function"), "tensorflow.py_function"})
TRACED_METHODS = words("train_step test_step predict_step")  # of Keras's models, by `fit`
_PRINTS = frozenset({"builtins.print", "tensorflow.print", *in_v1("print", "logging.info")})
_SUMMARY = re.compile(r"tensorflow\.(?:summary|debugging)\.\w+$|(?:absl\.)?logging\.\w+$")
_SPARSE = re.compile(
    KERAS + r"\.layers\.Embedding$|tensorflow\.(?:compat\.v1\.)?nn\.(?:safe_)?embedding_lookup\w*$"
)
_STOPS_ALONE = frozenset({TERMINATE_ON_NAN})
# Exceptions that all workers meet together, or that no program can foresee.
ALIKE = words(
    """
    KeyboardInterrupt ImportError ModuleNotFoundError AttributeError NameError StopIteration
    OutOfRangeError EOFError SystemExit HorovodInternalError HostsUpdatedInterrupt
    """
)
COUNTED = words("epoch params")  # of what `fit` gives: which epochs there were
_SAFE = re.compile(
    r"horovod\.|builtins\.(?:slice|len|range|min|max|print|zip|enumerate|list|dict|str|tuple)$"
)
ANY_EXCEPTION = words("Exception BaseException")


def wraps(canonical: str) -> bool:
    """Whether it makes an optimizer or a tape whose steps wait for all workers."""
    return _WRAPS.match(canonical) is not None


def wraps_tape(canonical: str) -> bool:
    """Whether it makes such a tape."""
    return _TAPES.match(canonical) is not None


def is_callback(canonical: str) -> bool:
    """Whether it makes a callback that waits for all workers."""
    return _CALLBACKS.match(canonical) is not None


def traces(canonical: str) -> bool:
    """Whether it makes a function that is run once to build a graph."""
    return normal(canonical) in _TRACES


def prints(canonical: str) -> bool:
    """Whether a call in a graph only shows its arguments, under names that nothing else has."""
    name = normal(canonical)
    return name in _PRINTS or _SUMMARY.match(name) is not None


def is_sparse(canonical: str) -> bool:
    """Whether the gradient of what it reads comes as rows, which are gathered and not reduced."""
    return _SPARSE.match(normal(canonical)) is not None


def stops_alone(canonical: str) -> bool:
    """Whether it makes a callback that ends the training by a number of this worker's own batch."""
    return normal(canonical) in _STOPS_ALONE


def is_safe(canonical: str) -> bool:
    """Whether a call raises no error for one worker's values only."""
    return _SAFE.match(canonical) is not None


def asks_all(method: str) -> bool:
    """Whether a method asks what all workers answer alike: sessions stop by the global step."""
    return method == "should_stop"


def makes_input(canonical: str) -> bool:
    """Whether it makes what stands for the data while a model is built."""
    return normal(canonical) in (f"{KERAS}.Input", f"{KERAS}.layers.Input")


# Parameters by which Keras and Estimators tell a function of the program what is done just now.
SAID_TO_ALL = frozenset({"mode", "params", "config", "training", "is_training"})
