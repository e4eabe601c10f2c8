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
    return "".join(char if _harmless(ord(char)) else _escape_char(char) for char in text)


def _harmless(point: int) -> bool:
    return not _steers(point) and point not in _BIDI


def _steers(point: int) -> bool:
    control = point < 0x20 or 0x7F <= point < 0xA0 or 0xD800 <= point < 0xE000
    return control or point in _LINE_SEPARATORS


def _escape_char(char: str) -> str:
    return char.encode("unicode_escape", "backslashreplace").decode("ascii")


def safe_lines(text: str) -> str:
    """The same for a text of several lines, which stay lines; a tab indents."""
    return "\n".join(safe(line.expandtabs()) for line in text.split("\n"))


def safe_path(path: str) -> str:
    """A path for a program that opens the file, with as little escaped as a log allows.

    Marks of the reading direction stay, and so do a tab and the ends of lines, which the caller
    encodes; signs that steer a terminal are escaped even here, as a log may be read in one.
    """
    return "".join(c if c in "\t\r\n" or not _steers(ord(c)) else _escape_char(c) for c in path)
