"""The world of these tests: see `tests/world.py`."""

from __future__ import annotations

from world import LAUNCHER, World, world

__all__ = ["LAUNCHER", "World", "world"]
