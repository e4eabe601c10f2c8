"""A folder that reads like the user's, and keeps what is written."""

from __future__ import annotations

import os
from pathlib import Path

from distify.assistant.verify.interrupt import Interrupt
from distify.assistant.verify.reference import SMALL, baseline, lay_out

from .conftest import World


def test_what_is_written_stays_there(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    (source / "data").mkdir(parents=True)
    (source / "data" / "x.npy").write_text("data")
    (source / "log.csv").write_text("log")
    (source / "large.bin").write_bytes(b"x" * (SMALL + 1))
    (source / "broken").symlink_to("nowhere")
    (source / "link").symlink_to("data")
    os.mkfifo(source / "pipe")
    lay_out(source, target)
    assert (target / "data" / "x.npy").read_text() == "data"
    assert (target / "link" / "x.npy").read_text() == "data"
    assert (target / "large.bin").is_symlink()
    (target / "log.csv").write_text("other")
    (target / "new").mkdir()
    assert (source / "log.csv").read_text() == "log"
    assert not (source / "new").exists()
    assert sorted(os.listdir(target)) == ["data", "large.bin", "link", "log.csv", "new"]


def test_a_baseline_is_told_its_factors_and_ends_by_itself(world: World) -> None:
    old = world.program(
        """
        import json
        options = json.loads(os.environ["DISTIFY_PROBE_OPTIONS"])
        names = ("role", "batch_factor", "rate_factor", "seed", "shuffle", "values")
        print([options[name] for name in names], "HOROVOD_RANK" in os.environ, sys.argv[1:])
        open(os.path.join(os.environ["DISTIFY_PROBE"], "rank0.npz"), "w")
        open("made.txt", "w")
        """,
        "old.py",
    )
    found = world.run("", baseline=old, arguments=("--epochs", "1"))
    compared = baseline(found, batch_factor=2, rate_factor=2.0)
    assert compared.baseline is not None
    assert compared.baseline.role == "baseline"
    assert compared.baseline.exit_code == 0
    said = "['baseline', 2, 2.0, 1, False, True] False ['--epochs', '1']"
    assert compared.baseline.tail == said
    assert compared.baseline.values is not None
    assert compared.baseline.values.exists()
    assert not (world.folder / "made.txt").exists()
    assert not world.left()


def test_without_a_baseline_nothing_is_run(world: World) -> None:
    found = world.run("")
    assert baseline(found) is found


def test_after_an_interrupt_the_job_is_not_started(world: World) -> None:
    from distify.assistant.verify.run import run

    asked = Interrupt()
    asked.count = 1
    found = run(world.job(""), world.setting, world.folder / "records", asked)
    assert found.ending == "interrupted"
    assert found.workers == {}
    assert not world.seen()
