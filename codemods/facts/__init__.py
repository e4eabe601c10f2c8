"""The abstract tree: names, scopes, roles and the training API pattern, as plain data."""

from .facts import Facts
from .roles import Role
from .training.pattern import Pattern, training_of

__all__ = ["Facts", "Pattern", "Role", "training_of"]
