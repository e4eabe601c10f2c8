"""Code that a fix offers: a model compiled with an optimizer in sight."""

from __future__ import annotations

from ..facts import Facts
from ..facts.optimizers.optimizer_makers import RATE, class_of_keras


def compilation(facts: Facts, model: str) -> str:
    """A call that gives a model an optimizer in sight; the loss is the person's to choose."""
    return f'{model}.compile(optimizer={class_of_keras(facts, "Adam")}{RATE}, loss="mse")'
