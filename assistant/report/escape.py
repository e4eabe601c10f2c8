"""Text from anywhere, made harmless before anybody sees it: the one place that escapes.

Names of files, settings, arguments, branches, and what git, workers and servers say may hold signs
that steer a terminal. Whatever prints goes through here; tests/assistant/report/test_escape.py
holds the list of what prints.
"""

from __future__ import annotations

# Signs that turn the reading direction can make code look like other code (Trojan Source).
_BIDI = {*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C}
_LINE_SEPARATORS = {0x2028, 0x2029}


def safe(text: str) -> str:
    """Text from files, made harmless: whatever could steer a terminal is shown escaped."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(char if _harmless(ord(char)) else _escaped(char) for char in text)


def _harmless(point: int) -> bool:
    control = point < 0x20 or 0x7F <= point < 0xA0 or 0xD800 <= point < 0xE000
    return not control and point not in _BIDI and point not in _LINE_SEPARATORS


def _escaped(char: str) -> str:
    return char.encode("unicode_escape", "backslashreplace").decode("ascii")


def safe_lines(text: str) -> str:
    """The same for a text of several lines, which stay lines; a tab indents."""
    return "\n".join(safe(line.expandtabs()) for line in text.split("\n"))
