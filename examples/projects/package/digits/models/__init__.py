"""Models."""

from .cnn import classifier

__all__ = ["classifier"]
