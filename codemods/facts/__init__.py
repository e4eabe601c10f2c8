"""The abstract tree: names, scopes, roles and the training API pattern, as plain data."""

from .facts import Facts
from .pattern import Pattern
from .roles import Role

__all__ = ["Facts", "Pattern", "Role"]
