"""`[tool.distify]` as a JSON schema, for editors: in the form that SchemaStore asks for.

https://github.com/SchemaStore/schemastore/blob/master/CONTRIBUTING.md ("Adding subschemas to
pyproject.toml"): a partial schema of draft 7, of which each key says what it means.
"""

from __future__ import annotations

from typing import Any

from .code_tables import PER_FILE, SEVERITIES, SEVERITY
from .config import BATCHES, COMPRESSIONS, FACTORIES, FORMS, KERAS, KEYS, LISTS, RATES
from .effective import DEFAULTS, MEANINGS

ADDRESS = "https://json.schemastore.org/partial-distify.json"
COUNT = {"type": "integer", "minimum": 1}
STRINGS = {"type": "array", "items": {"type": "string"}}
DOTTED = {"type": "array", "items": {"type": "string", "pattern": r"^\w+(\.\w+)+$"}}
_FORMS: dict[str, dict[str, Any]] = {
    "tensorflow": {"type": "string", "pattern": r"^\d+\.\d+", "examples": ["2.15"]},
    "shard": {"enum": ["auto", "none"]},
    "unsound": {"oneOf": [{"type": "boolean"}, STRINGS]},
    "recompute": {"enum": [*FORMS]},
    "snapshots": COUNT,
    "recompute-base": COUNT,
    "keras": {"enum": [*KERAS]},
    "batch": {"enum": [*BATCHES]},
    "learning-rate": {"enum": [*RATES]},
    "warmup": {"type": "integer", "minimum": 0},
    "backward_passes_per_step": COUNT,
    "compression": {"enum": [*COMPRESSIONS]},
    "cache": {"type": "boolean"},
    "instrument": {"type": "boolean"},
    PER_FILE: {"type": "object", "additionalProperties": STRINGS},
    SEVERITY: {
        "type": "object",
        "additionalProperties": {"enum": [*SEVERITIES]},
    },
    **dict.fromkeys(LISTS, STRINGS),
    **dict.fromkeys(FACTORIES, DOTTED),
}


def schema() -> dict[str, Any]:
    """The schema, with every key that `[tool.distify]` may hold."""
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": ADDRESS,
        "title": "distify",
        "description": "Settings of distify, under [tool.distify] of pyproject.toml.",
        "type": "object",
        "additionalProperties": False,
        "properties": {key: _of(key) for key in sorted(KEYS)},
    }


def _of(key: str) -> dict[str, Any]:
    default = {"default": DEFAULTS[key]} if key in DEFAULTS else {}
    return {**_FORMS[key], "description": MEANINGS[key].replace("`", ""), **default}
