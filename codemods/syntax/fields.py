"""Fields of f-strings by their text: before Python 3.12 nobody says where they stand."""

from __future__ import annotations

import re


def holding(code: str) -> re.Pattern[str]:
    """Finds the fields that hold this code alone, however it is spaced; group 1 is before it."""
    spaced = re.escape(code).replace(r"\ ", r"\s*")
    return re.compile(rf"(?<!{{)((?:{{{{)*{{\s*){spaced}(?=\s*[}}:!])")
