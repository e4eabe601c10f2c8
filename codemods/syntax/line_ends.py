"""What ends a line and what may stand before the first one."""

from __future__ import annotations

import re
import sys

NEWLINE = r"(?:\r\n|\n|\r(?!\n))"  # the last only so that no match can stop within CRLF
LINE_END = re.compile(NEWLINE)
BOM = "\ufeff"
LATER_LINES_INDENT = sys.version_info >= (3, 10)  # below a backslash
