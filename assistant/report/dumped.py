"""JSON that every reader takes: names of files may hold bytes that are no UTF-8.

Python has half of a pair of surrogates for such a byte, which JSON can say and few readers take
(RFC 8259, section 8.2): it is told as `\\udcff`, in six plain signs, as in pages.
"""

from __future__ import annotations

import json
from typing import Any


def dumped(content: Any) -> str:
    """Data as JSON, with an end of line."""
    return json.dumps(_sayable(content), indent=2, allow_nan=False) + "\n"


def _sayable(value: Any) -> Any:
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {_sayable(key): _sayable(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_sayable(each) for each in value]
    return value
