"""The final values of the trained variables, where they are to be compared one by one."""

from __future__ import annotations

from typing import Any

from . import record, setting, steps


def _wanted() -> bool:
    return setting.ROLE == "baseline" or bool(setting.OPTIONS.get("values"))


@record.careful("variables")
def _write() -> None:
    """`rank<N>.npz`: the variables by `<optimizer>/<name>#<index>`, without the slots."""
    import numpy as np

    found: dict[str, Any] = {}
    for trained in steps.known:
        for key, value in trained.arrays():
            if not key.startswith("slot/"):
                found[f"{trained.id}/{key}"] = value
    np.savez(record.path("npz"), **found)


if _wanted():
    steps.on_end(_write)
