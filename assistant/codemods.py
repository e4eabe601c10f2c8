"""The one door to the half that thinks; what lies behind it is imported when first needed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from typing import TYPE_CHECKING

from . import kept_imports
from .of_projects import added as added
from .of_projects import project as project
from .of_projects import sketch as sketch
from .of_projects import wanted as wanted
from .pages import address as address
from .pages import page as page
from .pages import pages as pages
from .pages import titles as titles
from .rule import Repair as Repair
from .rule import Rule as Rule

if TYPE_CHECKING:
    from distify.codemods.model import Migration, Options
    from distify.codemods.project.entries import Uses
    from distify.codemods.project.texts import Project

AUTOMATIC = "auto"  # all repairs that leave the program on one worker what it was


def migrate(text: str, options: Options, name: str) -> Migration:
    """The pure function that all commands stand on."""
    if may_concern(text.encode("utf-8", "surrogatepass")):
        _come_to_thinking(options)
    from distify.codemods.migrate import migrate

    return migrate(text, options, name)


def too_long(text: str, line: int, calls: int) -> Migration:
    """The refusal of a text that takes more than so many calls, most of them about a line."""
    from distify.codemods.gate.too_large import too_long

    return too_long(text, line, calls)


def too_costly(text: str, allowed: int, of: int, modules: Mapping[str, int]) -> Migration:
    """The refusal of a text that takes more than is left for it of its project's steps."""
    from distify.codemods.gate.too_large import too_costly

    return too_costly(text, allowed, of, modules)


def _come_to_thinking(options: Options) -> None:
    kept_imports.further("look" if options.only_look else "migrate")


def be_ready() -> None:
    """Import what most looks at files need, before processes share them."""
    from distify.codemods import restrictions, rewrites
    from distify.codemods.project import migrate

    restrictions.all()
    rewrites.all()
    assert migrate


def may_concern(data: bytes) -> bool:
    """Whether a file may train, or is a part of a program of Horovod's, which is judged as well."""
    from distify.codemods.starting.prefilter import may_concern

    return may_concern(data)


def migrate_project(project: Project, options: Options, name: str) -> Migration | None:
    """The same for a file with what it imports; None where it is to be looked at alone."""
    _come_to_thinking(options)
    kept_imports.further("project")
    from distify.codemods.project.migrate import migrate_project

    return migrate_project(project, options, name)


def look_alone(path: str, text: str, options: Options, why: str) -> Migration:
    """The migration of a file of a project that can't be read whole, with a remark that says so."""
    from distify.codemods.project.migrate import looked_at_alone

    return looked_at_alone(project(path, {path: text}), options, path, why)


def uses(project: Project) -> Uses:
    """What a program may run of what stands in its files."""
    from distify.codemods.project.entries import Uses

    return Uses(project)


def start_only(
    text: str,
    options: Options,
    name: str,
    refused: Migration | None = None,
    codes: Collection[str] = (),
) -> Migration | None:
    """What a program becomes that only starts Horovod; None where no place is known for that.

    `refused` is what is said of one that trains: it stays on one worker; `codes` are the rules that
    have changed what it runs.
    """
    from distify.codemods.project.starting import start_only

    return start_only(text, options, name, refused, codes)


def runs_at_import(text: str, lines: Collection[int]) -> bool:
    """Whether a module does what stands at one of these lines as soon as it is imported."""
    from distify.codemods.project.starting import runs_at_import

    return runs_at_import(text, lines)


def merged(first: Migration, second: Migration) -> Migration | None:
    """What becomes of one file for two programs; None where their changes meet."""
    from distify.codemods.project.merged import merged

    return merged(first, second)


def may_train(data: bytes) -> bool:
    """Whether a file is worth parsing."""
    from distify.codemods.starting.prefilter import may_train

    return may_train(data)


def rules() -> Sequence[Rule]:
    """Every rewrite, in the order of the codes."""
    from distify.codemods import rewrites

    return rewrites.all()


def repairs() -> Sequence[Repair]:
    """Every repair of what restrictions find, in the order of the codes."""
    from distify.codemods import repairs

    return repairs.all()


def changes() -> Sequence[Rule]:
    """All that a commit may be about: the repairs, and the rules, which come behind them."""
    return [*(repair.rule for repair in repairs()), *rules()]


def names(codes: Set[str]) -> Mapping[str, str]:
    """Names of rules by code, at least of these; none of the rules is imported for it."""
    if not codes:
        return {}
    from distify.codemods.applying import discovery

    return {**discovery.names("rewrites"), **discovery.names("repairs")}


def expand_repairs(words: Iterable[str]) -> frozenset[str]:
    """The codes of repairs behind codes, names, and `auto`. Raises BadChoice."""
    known = repairs()
    found: set[str] = set()
    for word in (part.strip() for value in words for part in value.split(",")):
        meant = {r.code for r in known if word.upper() == r.code or word.lower() == r.rule.name}
        if word.lower() == AUTOMATIC:
            meant = {r.code for r in known if r.is_automatic}
        if not meant:
            raise BadChoice(f"there is no repair {word}: a report names those for its files")
        found |= meant
    return frozenset(found)


class BadChoice(ValueError):
    """The rules that were selected and ignored don't go together."""


def check_choice(options: Options) -> None:
    """Raises BadChoice where a rule is ignored that a wanted one needs."""
    from distify.codemods.applying.choice import choose
    from distify.codemods.model import RuleNeeded
    from distify.codemods.rewrites import all as known

    try:
        choose(known(but=options.opt_in_rules), options)
    except RuleNeeded as error:
        raise BadChoice(str(error)) from None


def statements(text: str) -> Mapping[int, str]:
    """For every line the statement that it belongs to, whatever its layout."""
    from distify.codemods.suppressions.statement_text import by_line

    return by_line(text)


def obligations() -> Sequence[str]:
    """The names of what the judge asks of every result."""
    from distify.codemods.judge.obligations import names

    return names()


def judged(
    seen: Migration, project: Project, changed: Mapping[str, str], options: Options, name: str
) -> Migration:
    """What was made of an entry, with what is proved of all files as they would lie on disk."""
    kept_imports.further("project")
    from distify.codemods.project.judged import judged_together

    return judged_together(seen, project, changed, options, name)


def written_by(text: str, line: int, options: Options) -> tuple[str, ...]:
    """The rules that write what stands in a line of a program that is Horovod's already."""
    from distify.codemods.telling.written_by import written_by

    return written_by(text, line, options)


def statement(text: str, line: int) -> range:
    """The lines of the statement that a line belongs to. Raises SyntaxProblem."""
    from distify.codemods.suppressions.statement_text import around

    return around(text, line)


def suppressible() -> frozenset[str]:
    """The codes that a comment or the settings may take away."""
    from distify.codemods.suppressions.unsuppressed import FIXED

    return reported() - set(FIXED)


def reported() -> frozenset[str]:
    """The codes that a report of `check` or `migrate` may name."""
    from distify.codemods import restrictions
    from distify.codemods.suppressions.unsuppressed import FIXED

    names = {each.code for each in restrictions.all()} | {rule.code for rule in rules()}
    return frozenset({*names, *FIXED})
