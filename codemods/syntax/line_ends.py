"""What ends a line and what may stand before the first one."""

from __future__ import annotations

import re

NEWLINE = r"(?:\r\n|\n|\r(?!\n))"  # the last only so that no match can stop within CRLF
LINE_END = re.compile(NEWLINE)
BOM = "\ufeff"
