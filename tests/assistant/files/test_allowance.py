"""No project goes on for ever: what costs most is refused by name, and the other files are not."""

from __future__ import annotations

import re
import sys
from importlib import resources
from pathlib import Path

import pytest

from distify.assistant import codemods
from distify.assistant.files import allowance, result
from distify.assistant.files.choice import Choice
from distify.assistant.files.result import Result, look
from distify.assistant.report.terminal import Terminal
from distify.codemods.model import Migration, Options
from distify.codemods.program.spending import current

from ..conftest import BLOCKED, Call

DEAR, CHEAP = 90, 9
STEPS, LEAST = f"{allowance.STEPS:,}", f"{allowance.LEAST:,}"


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A project has 400 steps, a file a quarter of what is left, and ten in any case."""
    monkeypatch.setattr(allowance, "STEPS", 400)
    monkeypatch.setattr(allowance, "LEAST", 10)


@pytest.fixture(autouse=True)
def costing(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A text says what a look at it costs. The names of the files that were looked at."""
    fake, looked = codemods.migrate, list[str]()

    def migrate(text: str, options: Options, name: str) -> Migration:
        looked.append(name)
        found = re.search("costs ([0-9]+)", text)
        for _ in range(int(found[1]) if found else 0):
            current().take(1)
        return fake(text, options, name)

    monkeypatch.setattr(codemods, "migrate", migrate)
    return looked


def put(here: Path, *costs: int) -> None:
    """Files of a project that cost so much, in this order."""
    (here / "pyproject.toml").write_text('[project]\nname = "mine"\n')
    for number, cost in enumerate(costs):
        (here / f"f{number:02}.py").write_text(f"{BLOCKED}# costs {cost}\n")


def seen(jobs: int = 1, remembers: bool = False) -> Result:
    return look(["."], Choice((), (), remembers=remembers), Terminal(), jobs=jobs)


def codes(found: Result) -> list[str]:
    return [each.migration.blocked[0].code for each in found.outcomes if each.migration]


def test_nothing_is_refused_as_long_as_there_is_enough(here: Path) -> None:
    put(here, DEAR, *[CHEAP] * 9, 50)
    assert codes(seen()) == ["R20"] * 11


def test_past_the_budget_what_costs_most_is_refused_and_the_rest_is_not(here: Path) -> None:
    put(here, DEAR, DEAR, CHEAP, DEAR, CHEAP)
    found = seen()
    assert codes(found) == ["R20", "N04", "R20", "N04", "R20"]
    refused = found.outcomes[1].migration
    assert refused is not None
    assert "the 77 steps that are left for it of 400 for its project" in refused.blocked[0].message
    assert "by itself" in refused.blocked[0].fix
    assert not found.outcomes[1].changed


def test_what_is_left_is_never_nothing(here: Path) -> None:
    put(here, *[DEAR] * 40, CHEAP)
    found = codes(seen())
    assert found[-1] == "R20"
    assert found[0] == "R20"
    assert found[20:40] == ["N04"] * 20


def test_a_file_by_itself_has_all_of_it(here: Path, call: Call) -> None:
    """The way out that the message says."""
    put(here, DEAR, DEAR)
    assert "N04" in call("check", ".").stdout
    assert "N04" not in call("check", "f01.py").stdout


def test_a_look_that_costs_too_much_is_given_up(here: Path, costing: list[str]) -> None:
    put(here, 10**9)
    assert codes(seen()) == ["N04"]


def test_another_project_has_its_own(here: Path) -> None:
    for name in ("a", "b"):
        (here / name).mkdir()
        put(here / name, DEAR)
    assert codes(seen()) == ["R20", "R20"]


@pytest.mark.skipif(sys.platform != "linux", reason="other processes have no fake engine there")
def test_several_processes_say_what_one_says(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(result, "FEW", 1)
    put(here, *[CHEAP, DEAR, 12, 30] * 6)
    alone = seen()
    assert {"N04", "R20"} == set(codes(alone))
    assert seen(2) == seen(3) == alone


def test_what_is_recalled_costs_what_it_did(here: Path, costing: list[str]) -> None:
    put(here, *[CHEAP, DEAR, 12, 30] * 6)
    first = seen(remembers=True)
    costing.clear()
    again = seen(remembers=True)
    assert codes(again) == codes(first)
    assert 0 < len(costing) < 24  # what was refused is looked at again, as far as it may cost


def test_a_script_of_which_nothing_is_said_is_paid_for(here: Path) -> None:
    """It is looked at, as it may leave all training to modules."""
    put(here)
    for number in range(5):
        (here / f"e{number}.py").write_text("import m\n\nm.run()\n# costs 60\n")
    (here / "f.py").write_text(f"{BLOCKED}# costs 60\n")
    found = seen()
    assert [each.name for each in found.outcomes] == ["e3.py", "e4.py", "f.py"]
    assert codes(found) == ["N04"] * 3


def test_the_page_names_the_budget() -> None:
    page = resources.files("distify.codemods.pages").joinpath("N04.md").read_text(encoding="utf-8")
    assert STEPS in page
    assert LEAST in page
