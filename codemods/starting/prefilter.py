"""A search of the bytes that tells, before anything is parsed, which files can train at all.

Architecture, "Decide on `ast`, edit with Bowler": files that hold no training loop cost one read.
The answer may be a false yes, never a false no: what it lets through is parsed, and in what it
refuses `migrate` finds nothing either.
"""

from __future__ import annotations

import re

_FRAMEWORKS = (b"tensorflow", b"keras")
# A plain search per word is several times faster than one alternation of them.
_LOOPS = (
    b"GradientTape",
    b"fit_generator",
    b"train_on_batch",
    b"train_and_evaluate",
    b"apply_gradients",
    b"compute_gradients",
    b"get_updates",
    b"minimize",
    b"stimator",
    b"Session",
    b"Supervisor",
    b"create_train_op",
    b"learning.train",
    b"ptimizer",  # a library out of sight may get it
)
# `x.fit`, or the word before a bracket or in quotes; it starts with letters to be found fast.
_FIT = re.compile(rb"fit(?:(?<=\.fit)\b|(?<!\wfit)\s*[(\"'])")
_COMPILE = re.compile(rb"\.compile(?<!\bre\.compile)\(")  # a model has its optimizer by that
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def may_concern(data: bytes) -> bool:
    """Whether `migrate` has anything to say of the file but that it doesn't train.

    A program that is Horovod's already is said to be so, even if it doesn't train.
    """
    return may_train(data) or (b"horovod" in data and any(word in data for word in _FRAMEWORKS))


def may_train(data: bytes) -> bool:
    """Whether the file mentions TensorFlow or Keras and something that a training loop needs."""
    if data.startswith(_UTF16):
        data = data.replace(b"\0", b"")
    if not any(word in data for word in _FRAMEWORKS):
        return False
    is_said = any(word in data for word in _LOOPS)
    return is_said or any(pattern.search(data) for pattern in (_FIT, _COMPILE))
