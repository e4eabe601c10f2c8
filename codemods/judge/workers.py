"""A model job, whose workers stand for those of any: two machines with two workers each."""

from __future__ import annotations

# rank, local rank, cross rank of each worker
WORKERS = ((0, 0, 0), (1, 1, 0), (2, 0, 1), (3, 1, 1))
SIZES: dict[str, tuple[object, ...]] = {
    **{name: tuple(w[i] for w in WORKERS) for i, name in enumerate(("rank", "local_rank", "cross_rank"))},
    "size": (4,) * len(WORKERS),
    "local_size": (2,) * len(WORKERS),
    "cross_size": (2,) * len(WORKERS),
}  # fmt: skip
