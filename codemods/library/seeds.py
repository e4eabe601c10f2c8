"""Which numbers of chance a function draws from, and what makes all workers draw them alike."""

from __future__ import annotations

from .draws import NUMPY, PYTHON, TENSORFLOW

TORCH = "torch"  # those of another library
SEEDS = {
    "numpy.random.seed": (NUMPY,),
    "random.seed": (PYTHON,),
    "tensorflow.random.set_seed": (TENSORFLOW,),
    "tensorflow.compat.v1.set_random_seed": (TENSORFLOW,),
    "tensorflow.set_random_seed": (TENSORFLOW,),
    "tensorflow.keras.utils.set_random_seed": (NUMPY, PYTHON, TENSORFLOW),
    "torch.manual_seed": (TORCH,),
    "transformers.set_seed": (NUMPY, PYTHON, TENSORFLOW, TORCH),
}
ALL_SEEDED = SEEDS["tensorflow.keras.utils.set_random_seed"]  # by one call


def stream(canonical: str) -> str:
    """The numbers of chance that a function of that name draws from."""
    if canonical.startswith(("tensorflow.", "keras.")):
        return TENSORFLOW
    if canonical.startswith("torch."):
        return TORCH
    return PYTHON if canonical.startswith("random.") else NUMPY
