"""A message in two: what is wrong, short enough for a line, and why that is so."""

from __future__ import annotations

import re

LONGEST = 100  # characters of the first
_CODE = re.compile(r"`[^`]*`")
_BECAUSE = re.compile(r", (?=because )")
_JOINTS = re.compile(r"; |: |, (?=(?:and|as|so that) )")


def parted(message: str) -> tuple[str, str]:
    """The message, cut at the last joint of its sentence that leaves a short beginning.

    The second is empty where the whole is short, or where there is no such joint.
    """
    if len(message) <= LONGEST:
        return message, ""
    spans = [found.span() for found in _CODE.finditer(message)]
    for joints in (_BECAUSE, _JOINTS):
        found = [
            each
            for each in joints.finditer(message)
            if each.start() <= LONGEST and not any(a <= each.start() < b for a, b in spans)
        ]
        if found:
            return message[: found[-1].start()], message[found[-1].end() :]
    return message, ""
