"""Each note is decided: what a result costs, a look, or a doubt that an obligation decides."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from bench.notes import MEANING, notes, table

PAGE = Path(__file__).resolve().parents[1] / "docs" / "precision.md"
# Each module with its notes in their order; a new one is decided before it stands here: where
# `distify verify` would convict what it speaks of, it is a doubt, and an obligation decides it.
KINDS = {
    "_batches_told": "SIZE SIZE SIZE",
    "d104_full_fits": "COST",
    "d106_kept_count": "COST",
    "d106_mean_over_steps": "LOOK",
    "d106_own_schedule": "LOOK",
    "d106_shown_totals": "LOOK LOOK",
    "d107_split_validation": "LOOK",
    "d107_whole_data": "SIZE COST COST SIZE SIZE SIZE SIZE",
    "d203_removed_meanwhile": "WRITERS",
    "d203_taken_writes": "WRITERS WRITERS",
    "d204_own_runs": "LOOK",
    "d206_saved_optimizer": "LOOK LOOK",
    "d302_callbacks": "LOOK LOOK",
    "d501_estimate": "COST COST COST COST COST",
    "h01_each_for_itself": "UPDATE WRITERS LOOK WRITERS",
    "h01_own_start": "UPDATE UPDATE",
    "k04_uneven_steps": "kind UPDATE",
    "l01_unknown_rate": "SIZE LOOK",
    "l03_kept_batch": "LOOK",
    "n02_keras_3": "LOOK",
    "n02_names_of_keras_3": "LOOK",
    "n03_tensorflow_1": "LOOK LOOK LOOK",
    "t07_workers_disagree": "UPDATE UPDATE",
}


def test_each_note_is_decided() -> None:
    found: dict[str, list[str]] = {}
    for note in notes():
        found.setdefault(note.module, []).append(note.kind)
    assert {module: " ".join(kinds) for module, kinds in found.items()} == KINDS


def test_a_note_says_something_and_is_of_a_known_kind() -> None:
    for note in notes():
        assert note.kind in {*MEANING, "kind"}
        assert len(note.words) > 20, note
        assert len(note.code) in (3, 4, len("RECOMPUTE"))


def test_the_page_lists_them() -> None:
    """Renew it by `python bench/precision.py > docs/precision.md`."""
    written = Counter(PAGE.read_text("utf-8").splitlines())
    assert not Counter(table()) - written
