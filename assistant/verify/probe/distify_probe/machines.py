"""Lets this machine look like several (`--machines 2`): each with a folder of its own.

Workers are told so before Horovod starts: the first ones are on the first machine, and so on. Those
of the others run in a copy of the folder, as on a machine that shares none with the first.
"""

from __future__ import annotations

import os

from . import setting

FOLDERS: list[str] = list(setting.OPTIONS.get("machines") or ())  # of all but the first


def place(rank: int, size: int, machines: int) -> tuple[int, int, int]:
    """The machine of a rank, its rank there, and how many workers are there."""
    each = -(-size // machines)
    machine = rank // each
    return machine, rank % each, min(each, size - machine * each)


def number() -> int:
    """Which machine this worker is on."""
    return place(setting.RANK, setting.SIZE, len(FOLDERS) + 1)[0]


def start() -> None:
    """Moves this worker to its machine."""
    if setting.ALONE or not FOLDERS:
        return
    machine, local, there = place(setting.RANK, setting.SIZE, len(FOLDERS) + 1)
    names = ("LOCAL_RANK", "LOCAL_SIZE", "CROSS_RANK", "CROSS_SIZE")
    for name, value in zip(names, (local, there, machine, len(FOLDERS) + 1)):
        os.environ[f"HOROVOD_{name}"] = str(value)
    setting.LOCAL_RANK = local
    if machine:
        os.chdir(FOLDERS[machine - 1])
