"""A model job, whose workers stand for those of any: two machines with two workers each."""

from __future__ import annotations

WORKERS = range(4)
SIZES: dict[str, tuple[object, ...]] = {
    "rank": (0, 1, 2, 3),
    "local_rank": (0, 1, 0, 1),
    "cross_rank": (0, 0, 1, 1),
    "size": (4, 4, 4, 4),
    "local_size": (2, 2, 2, 2),
    "cross_size": (2, 2, 2, 2),
}
