"""What a variable is called in the records."""

from __future__ import annotations

from typing import Any

PATH = "_distify_path"  # where that of Keras 3 has its path


def name_of(variable: Any) -> str:
    """Its name; that of Keras 3 by its path."""
    return str(getattr(variable, PATH, getattr(variable, "name", "?")))
