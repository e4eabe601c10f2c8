"""Everything that is asked of one program, and a count of what was seen."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from distify.codemods.migrate import migrate
from distify.codemods.model import Migration, SyntaxProblem

from . import checks, domain
from .program import BLOCKED, BROKEN, NOTHING, TRAINS, Program

OF_ALL = (
    checks.comments_stay,
    checks.lines_stay,
    checks.surface_stays,
    checks.compiles_and_means_the_same,
    checks.every_step_is_a_program,
    domain.starts_once,
    domain.nobody_waits_alone,
    domain.guarded_names_are_bound,
    domain.averaged_once,
)
# These know what the generated programs are made of.
PROMISES = (
    *OF_ALL,
    domain.rates_are_scaled_once,
    domain.starts_from_one_state,
    domain.only_one_speaks,
)


@dataclass
class Seen:
    """What a run has been through."""

    texts: set[str] = field(default_factory=set)
    kinds: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    findings: Counter[str] = field(default_factory=Counter)
    changed: int = 0


def judge(program: Program, seen: Seen) -> Migration | None:
    """Migrate a program and check every promise; None if it can't be parsed. AssertionError."""
    try:
        migration = migrate(program.text, program.options)
    except SyntaxProblem as problem:
        _is_broken(program, problem)
        migration = None
    else:
        assert program.kind != BROKEN, "that was no Python"
        _as_expected(program, migration)
        _findings_have_places(migration)
        for promise in PROMISES if migration.steps else ():
            promise(migration)
        if migration.steps and len(seen.texts) % 8 == 0:
            _again(program, migration)
    _count(program, migration, seen)
    return migration


def _is_broken(program: Program, problem: SyntaxProblem) -> None:
    assert program.kind == BROKEN, f"line {problem.line}: {problem}"
    assert 1 <= problem.line <= program.text.count("\n") + 2


def _as_expected(program: Program, migration: Migration) -> None:
    codes = {finding.code for finding in migration.blocked}
    if program.kind == NOTHING:
        assert migration.skipped, f"{program.family}: {codes or 'changed'}"
    elif program.kind == BLOCKED:
        assert program.code in codes, f"{program.family}: {codes or migration.skipped}"
    else:
        assert not migration.skipped, migration.skipped
        assert migration.steps or migration.blocked, "nothing was done, and nothing said"
    if not migration.steps:
        assert migration.after == program.text


def _findings_have_places(migration: Migration) -> None:
    """Inside of the file, with what is wrong and the fix."""
    lines = migration.before.split("\n")
    for finding in (*migration.blocked, *migration.notes):
        assert 1 <= finding.line <= len(lines), finding
        assert 0 <= finding.column <= len(lines[finding.line - 1]) + 1, finding
        assert finding.message
    assert all(finding.fix for finding in migration.blocked)
    assert not (migration.blocked and migration.steps)


def _again(program: Program, migration: Migration) -> None:
    """The same text gives the same, to who only looks as well; its result gives nothing more."""
    assert migrate(program.text, program.options) == migration
    looked = migrate(program.text, program.options._replace(only_look=True))
    assert looked.changing_rules == migration.changing_rules
    assert (looked.steps, looked.blocked, looked.notes) == ((), migration.blocked, migration.notes)
    assert migrate(migration.after, program.options).after == migration.after


def _count(program: Program, migration: Migration | None, seen: Seen) -> None:
    seen.texts.add(program.text)
    seen.kinds[program.kind] += 1
    if migration is not None:
        seen.changed += bool(migration.steps and program.kind == TRAINS)
        seen.rules.update(step.code for step in migration.steps)
        seen.findings.update(finding.code for finding in migration.blocked)
