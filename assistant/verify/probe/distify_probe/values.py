"""The final values of the trained variables, where they are to be compared one by one."""

from __future__ import annotations

from typing import Any

from . import inside, record, setting, steps


@record.careful("variables")
def _write() -> None:
    """`rank<N>.npz`: the variables by `<optimizer>/<name>#<index>`, without the slots."""
    found: dict[str, Any] = {}
    for trained in steps.known:
        for key, value in trained.arrays():
            if not key.startswith("slot/"):
                found[f"{trained.id}/{key}"] = value
    inside.numpy().savez(record.path("npz"), **found)


if setting.VALUES:
    steps.on_end(_write)
