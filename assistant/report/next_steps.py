"""What to do next: commands that work from here, in the order of use, for every report."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence

from distify.codemods.program.records import NamedTuple

from ..files import projects
from ..files.outcome import Outcome
from ..files.repaired import Repaired
from .lines import EMPTY, Line, Span, plural
from .set_up import set_up
from .ways import Way, quoted, way_of

REPAIR, READ, SEE, APPLY = "repair", "read", "see", "apply"
SET_UP, PROVE, TRAIN, ELSEWHERE = "set-up", "prove", "train", "elsewhere"
HEADINGS = {
    REPAIR: "Repair it:", READ: "Read why:", SEE: "See it:", APPLY: "Apply it:",
    SET_UP: "Set up:", PROVE: "Prove it:", TRAIN: "Train:", ELSEWHERE: "Elsewhere:",
}  # fmt: skip
REPAIRED = "--repair"
MOST = 3  # programs of which every command is named


class Next(NamedTuple):
    """One command, what it is for, and a remark; the remark may be empty."""

    purpose: str
    command: str
    remark: str = ""


class Arguments(NamedTuple):
    """What a command is to be called with again."""

    options: Sequence[str]
    paths: Sequence[str]

    def repaired(self, codes: Sequence[str], paths: Sequence[str]) -> Arguments:
        """The same for these files, with these repairs besides those that were asked for."""
        kept, asked, left = list[str](), list[str](), iter(self.options)
        for option in left:
            if option == REPAIRED:
                asked += next(left, "").split(",")
            else:
                kept.append(option)
        return Arguments([*kept, REPAIRED, ",".join(dict.fromkeys([*asked, *codes]))], paths)

    def __str__(self) -> str:
        return " ".join([*map(shlex.quote, self.options), *map(quoted, self.paths)])


def next_steps(
    outcomes: Sequence[Outcome],
    given: Arguments,
    written: bool,
    repairs: Mapping[str, Repaired],
    is_seen: bool = False,
) -> list[Next]:
    """The commands for what became of these files; `is_seen`: their diff was just shown."""
    if "-" in given.paths:
        return []
    blocked = [each for each in outcomes if each.blocked]
    changed = [each for each in outcomes if each.changed]
    found = [*_repairs(blocked, given, repairs), *_reasons(blocked, repairs)]
    if changed and not written:
        if not is_seen:
            found.append(Next(SEE, f"distify migrate --diff {given}".rstrip()))
        ways = [way_of(each) for each in programs(changed)]
        both = any(way.can_be_proved for way in ways)
        remark = "--verify proves it at once" if both else ""
        found.append(Next(APPLY, f"distify migrate {given}".rstrip(), remark))
    return [*found, *_of_a_job(changed)]


def _of_a_job(changed: Sequence[Outcome]) -> Iterator[Next]:
    """How the programs are started here, behind what is still to be installed for it."""
    steps = [*of_programs(changed)]
    if any(each.purpose == PROVE or "horovodrun" in each.command for each in steps):
        converts = any("nbconvert" in each.command for each in steps)
        yield from (Next(SET_UP, command, remark) for command, remark in set_up(converts))
    yield from steps


def of_programs(changed: Sequence[Outcome], most: int = MOST, here: str = "") -> Iterator[Next]:
    """How the programs among these files are proved, trained, and started elsewhere.

    `here` is the folder that the commands are for, if not the current one.
    """
    started = programs(changed)
    shown = started[:most]
    more = f"and {len(started) - most} more" if len(started) > most else ""
    ways = [way_of(each, here) for each in shown]
    if shown and all(map(trains_alone, shown)):
        yield from (Next(TRAIN, f"{way.folder}{way.first}{way.command}") for way in ways)
        return
    proved = [way for way in ways if way.can_be_proved]
    yield from (Next(PROVE, _prove(way), more) for way in proved)
    for way in ways:
        yield Next(TRAIN, f"{way.folder}{way.first}horovodrun -np 2 {way.command}", more)
    for way in [way for way in proved if not way.first][:1]:
        command = f"{way.folder}distify launch-lines {way.script} -np 8 --gpus-per-node 4"
        yield Next(ELSEWHERE, command, "Slurm, MPI, Kubernetes, Ray")


def _prove(way: Way) -> str:
    return f"{way.folder}distify verify {way.script} -np 2"


def programs(changed: Iterable[Outcome]) -> list[Outcome]:
    """Those that somebody starts, where any of them trains: what they import is no program."""
    found = [(each, each.migration) for each in changed if each.migration is not None]
    others = {
        projects.path_of(each.target.path, other.path)
        for each, migration in found
        for other in migration.others
    }
    started = [
        each
        for each, migration in found
        if migration.trains_in or (migration.evidence and migration.is_started)
    ]
    entries = [each for each in started if each.target.path not in others]
    return entries or started or [each for each, _ in found][:1]


def trains_alone(outcome: Outcome) -> bool:
    """Whether nothing but D501 was done to a program that has no workers."""
    codes = {due.code for due in outcome.migration.changing_rules} if outcome.migration else set()
    return codes == {"D501"} and b"horovod" not in (outcome.after or b"")


def _repairs(
    blocked: Iterable[Outcome], given: Arguments, repairs: Mapping[str, Repaired]
) -> Iterator[Next]:
    """One command for all files that the same repairs help, by as much as they help."""
    alike: dict[Repaired, list[str]] = {}
    for each in blocked:
        if (found := repairs.get(each.target.path)) and found.codes:
            alike.setdefault(found, []).append(each.name)
    for (codes, left), names in alike.items():
        own = given.repaired(codes, names)
        if left:
            remark = f"{plural(left, 'reason')} would stay"
            yield Next(REPAIR, f"distify check {own}", remark)
        else:
            yield Next(REPAIR, f"distify migrate {own}", "--diff shows it first")


def _reasons(blocked: Sequence[Outcome], repairs: Mapping[str, Repaired]) -> Iterator[Next]:
    """The page of the first reason that nothing repairs."""
    for each in blocked:
        findings = each.migration.blocked if each.migration is not None else ()
        has_repair = each.target.path in repairs
        codes = [finding.code for finding in findings if finding.code and not has_repair]
        if codes:
            yield Next(READ, f"distify explain {codes[0]}")
            return


def lines(found: Sequence[Next], width: int | None) -> Iterator[Line]:
    """The commands under each other; a remark stands beside its command where there is room."""
    if found:
        yield EMPTY
    heading = max(map(len, HEADINGS.values()))
    for each in found:
        remark = f"  # {each.remark}" if each.remark else ""
        if width and heading + 1 + len(each.command) + len(remark) > width:
            remark = ""
        yield (
            Span(f"{HEADINGS[each.purpose]:{heading}} ", "heading"),
            Span(each.command, "command"),
            *([Span(remark, "dim")] if remark else []),
        )
