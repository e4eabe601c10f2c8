"""Whether a file is a script, by a search of its bytes: most files are none, and never parsed."""

from __future__ import annotations

import re

MAIN = b"__main__"
# What a script without it does, and hardly a library: loops, `main()`, `….run()`, or what trains by
# its name, also in an `if` that asks for the mode; bounded, as lines may be of any length.
_TRAINS = rb"(?!def |class |async )(?=[\w)]).*(?:fit|train)\w{0,60}\("
_RUNS = rb"(?:main|run)\(|(?=[\w.]+\()(?=.*\)\s*$).*\.(?:main|run|start|learn|launch|execute)\("
WORKS = re.compile(
    rb"^(?:(?:for|while|with)\b|" + _RUNS + rb"|" + _TRAINS + rb"|"
    rb"(?:el)?if\b.*:\n(?:(?:[ \t].*)?\n)*?[ \t]+(?:" + _TRAINS + rb"|" + _RUNS + rb"))",
    re.MULTILINE,
)


def is_run(data: bytes) -> bool:
    """Whether it asks for its name, or does at the top what scripts do."""
    return MAIN in data or WORKS.search(data) is not None
