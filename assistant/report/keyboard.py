"""The keyboard: asks a person for a key or for a line of text."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def ask(prompt: str, keys: Sequence[str]) -> str:
    """The first of these keys that is pressed; without Enter, and told again as a letter.

    Raises KeyboardInterrupt for Ctrl-C and EOFError where the terminal is gone.
    """
    from click import getchar

    while True:
        _say(prompt)
        key = getchar().lower()
        if not key:
            raise EOFError
        if key in keys:
            _say(f"{key}\n")
            return key
        prompt = f"\nPress one of {', '.join(keys)}: "


def ask_line(prompt: str) -> str:
    """A line of text. Raises as `ask` does."""
    _say(prompt)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.strip()


def _say(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()
