"""What both programs use."""

from .dataset import test_set, training_set
from .model import create_model

__all__ = ["create_model", "test_set", "training_set"]
