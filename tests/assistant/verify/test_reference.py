"""Runs on one process, in a folder that reads like the user's."""

from __future__ import annotations

from distify.assistant.verify.run.interrupt import Interrupt
from distify.assistant.verify.run.reference import baseline, slower

from .conftest import World


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


def test_one_process_is_run_at_lower_rates_only_where_its_end_matters(world: World) -> None:
    found = world.run("")
    folder = world.folder / "slower"
    assert slower(found, world.folder, folder, Interrupt()) is found
    assert not folder.exists()


def test_after_an_interrupt_the_job_is_not_started(world: World) -> None:
    from distify.assistant.verify.run.whole_job import run

    asked = Interrupt()
    asked.count = 1
    found = run(world.job(""), world.setting, world.folder / "records", asked)
    assert found.ending == "interrupted"
    assert found.workers == {}
    assert not world.seen()
