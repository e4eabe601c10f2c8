"""The JSON schema of `[tool.distify]` says what is read there: no key more, no value less."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from distify.assistant.files import config
from distify.assistant.files.config import ConfigProblem
from distify.assistant.files.settings_schema import schema

from ..conftest import Call

PUBLISHED = Path(__file__).resolve().parents[3] / "docs" / "schemas" / "settings.json"
VALUES: list[Any] = [
    True, False, 0, 1, 3, -1, 1.5, "", "auto", "none", "2.15", "2.15.1", "2", "two", "halves",
    "sqrt", "3", "legacy", "linear", "fp16", [], ["D104"], ["size"], ["auto"], [1], ["pkg.build"],
    ["build"], {}, {"*.py": ["T07"]}, {"T07": "warning"}, {"T07": "loud"}, {"*.py": "T07"},
]  # fmt: skip
# What a schema can't know: rules and obligations by name, and what may not stand together.
UNKNOWN = {("unsound", "D104"), ("unsound", "auto"), ("unsound", "pkg.build"), ("unsound", "build")}


def test_what_is_published_is_what_is_read(call: Call) -> None:
    """Renewed by: distify config --schema > docs/schemas/settings.json"""
    assert PUBLISHED.read_text(encoding="utf-8") == call("config", "--schema").stdout
    Draft7Validator.check_schema(schema())
    assert set(schema()["properties"]) == set(config.KEYS)
    assert all(each["description"] for each in schema()["properties"].values())


@pytest.mark.parametrize("key", [*config.KEYS, "unknown"])
def test_the_schema_takes_what_the_settings_take(key: str, tmp_path: Path) -> None:
    validator = Draft7Validator(schema())
    for value in VALUES:
        if isinstance(value, list) and any((key, each) in UNKNOWN for each in value):
            continue
        try:
            config._settings({key: value}, str(tmp_path / "pyproject.toml"))
            is_read = True
        except ConfigProblem:
            is_read = False
        assert validator.is_valid({key: value}) == is_read, (key, json.dumps(value))
