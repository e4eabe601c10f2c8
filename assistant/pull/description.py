"""What a pull request says, and the job's summary: Markdown that no name in it can break."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from hashlib import sha256
from urllib.parse import quote

from distify import __version__

from ..git.commit_reasons import REASONS
from ..git.message import link
from ..report.in_markdown import block, code, ended, prose
from ..report.lines import plural
from ..report.next_steps import PROVE, TRAIN
from .story import Remark, Story

LIMIT = 65_536  # characters that GitHub takes; counted in bytes here, which are never fewer
OWN_WORDS = 20_000  # of them for the text that the user gave
MOST_COMMANDS = 10
CUT = "… cut here: it was too long for GitHub"
FOOTER = (
    f"<sub>Written by distify {__version__}; it leaves this branch alone as soon as somebody\n"
    "else commits to it.</sub>"
)
TODO, CHECK, DIFF = "- [ ] ", "distify check", "distify migrate --diff"
TICKED = re.compile(r"^- \[[xX]\] (.*)$", re.MULTILINE)
TARGET = re.compile(r"\]\([^)\s]*\)")


def body(story: Story, old: str = "", settled: bool = True) -> str:
    """The text of the pull request; what was ticked off in the `old` one stays so.

    Not `settled`: not all that was asked for was done, so the next run takes it up.
    """
    text = _compose(story)
    return f"{_with_ticks(text, old)}\n\n{_mark(story, text if settled else '')}"


def _compose(story: Story) -> str:
    first = ended(_cut_to(story.words.strip(), OWN_WORDS))
    room = LIMIT - len((first + FOOTER).encode()) - 300
    return "\n\n".join(filter(None, [first, sections(story, room), FOOTER]))


def _mark(story: Story, text: str) -> str:
    """Tells which series and wishes a text belongs to; nobody sees it."""
    digest = sha256(f"{story.asked}\n{text}".encode("utf-8", "replace")).hexdigest()[:16]
    tip = story.ids[-1] if story.ids else ""
    return f"<!-- distify {story.base}..{tip} {digest if text else 'to be continued'} -->"


def is_current(story: Story, text: str) -> bool:
    """Whether a pull request's text tells exactly this, and all that was asked for was done."""
    return _mark(story, _compose(story)) in text


def sections(story: Story, room: int) -> str:
    """What changes, what is left, how to prove and to try it, in at most so many bytes."""
    table = [*_table(story), *_proofs(story)]
    commands = list(_commands(story))
    room -= len("\n\n".join([*table, *commands]).encode())
    why = _list(story, "Why each place changes", story.why, room // 4, "- ", DIFF)
    room -= len(why.encode())
    left = _list(story, "Left as it was", story.left, room - room // 4)
    notes = _list(story, "Worth a look", story.notes, room - len(left.encode()))
    return "\n\n".join(filter(None, [*table, why, left, notes, *commands]))


def _table(story: Story) -> Iterator[str]:
    if not story.changes:
        return
    yield from _unsound(story)
    yield (
        "Rewrites single-device TensorFlow training for many workers with "
        f"[Horovod](https://horovod.readthedocs.io), onto {code(story.onto)}: one commit per rule."
    )
    rows = ["| rule | what it does | where | commit |", "|---|---|---|---|"]
    for change, commit in zip(story.changes, story.ids):
        what = prose(REASONS.get(change.code, (change.code, ""))[0]).replace("|", "\\|")
        where = f"{plural(len(change.places), 'place')} in {plural(len(change.files), 'file')}"
        rows.append(f"| {_rule(change.code)} | {what} | {where} | {_commit(story, commit)} |")
    yield "\n".join(rows)
    files = sorted({path for change in story.changes for path in change.files if _fits(path)})
    if files:
        yield f"It changes {_files(files)}."


def _proofs(story: Story) -> Iterator[str]:
    """What is proved of the result, file by file where that differs."""
    alike: dict[str, list[str]] = {}
    for path, said in story.proofs:
        alike.setdefault(said, []).append(path)
    if alike:
        shown = list(alike.items())[:MOST_COMMANDS]
        told = [f"- {_files(paths)}: {prose(said)}" for said, paths in shown]
        more = len(alike) - len(shown)
        told += [f"- and {more} more"] if more else []
        yield "\n".join(["### Proved", "", *told])


def _files(paths: Sequence[str]) -> str:
    more = f" and {len(paths) - MOST_COMMANDS} more" if len(paths) > MOST_COMMANDS else ""
    return ", ".join(code(path) for path in paths[:MOST_COMMANDS]) + more


def _unsound(story: Story) -> Iterator[str]:
    """A warning above all else where rules were left out that the files need."""
    left_out = story.changes[0].left_out
    files: dict[str, list[str]] = {}
    for path, rule in left_out:
        files.setdefault(path, []).append(rule)
    if files:
        rules = ", ".join(sorted({rule for _, rule in left_out}))
        which = ", ".join(code(path) for path in list(files)[:MOST_COMMANDS])
        more = f" and {len(files) - MOST_COMMANDS} more" if len(files) > MOST_COMMANDS else ""
        yield (
            f"> [!WARNING]\n> **Unsound**: {rules} left out, which these files need for a right "
            f"result: {which}{more}."
        )


def _rule(name: str) -> str:
    address, _, rest = link(name).partition(" ")
    return f"[{name}]({address})" if rest and address.startswith("http") else name


def _commit(story: Story, commit: str) -> str:
    short = f"`{commit[:9]}`"
    web = story.commits or story.web
    return f"[{short}]({web}/commit/{commit})" if story.pushed else short


def _list(
    story: Story, title: str, remarks: Sequence[Remark], room: int, mark: str = TODO,
    elsewhere: str = CHECK,
) -> str:  # fmt: skip
    lines, used = [f"### {title}", ""], 400
    for number, remark in enumerate(remarks):
        item = f"{mark}{_item(story, remark)}"
        used += len(item.encode()) + 1
        if used > room:
            rest = len(remarks) - number
            lines += ["", f"… and {rest} more, cut here: `{elsewhere}` tells them all"]
            break
        lines.append(item)
    return "\n".join(lines) if remarks else ""


def _item(story: Story, remark: Remark) -> str:
    place = f"{remark.path}:{remark.line}" if remark.line else remark.path
    mark = f"#L{remark.line}" if remark.line else ""
    # Names may hold anything; bytes that are no text have no address either.
    path = quote(remark.path.encode("utf-8", "surrogateescape"))
    where = f"[{code(place)}]({story.web}/blob/{story.base}/{path}{mark})"
    return f"{where} {remark.code} {prose(remark.text)}".replace("  ", " ")


def _commands(story: Story) -> Iterator[str]:
    """How to prove and to try it; a name that can't be copied from a page is left out."""
    for purpose, title, words in (
        (PROVE, "Prove it", "On two workers, without a GPU{}:\n\n"),
        (TRAIN, "Try it", ""),
    ):
        found = [each for each in story.next if each.purpose == purpose and _fits(each.command)]
        if found:
            more = f" ({found[0].remark})" if found[0].remark else ""
            shown = block([each.command for each in found])
            yield f"### {title}\n\n{words.format(more)}{shown}"


def _fits(name: str) -> bool:
    """Whether a name is text (git takes any bytes) and would not fill the page."""
    try:
        return len(name.encode()) < 300
    except UnicodeEncodeError:
        return False


def _cut_to(text: str, most: int) -> str:
    data = text.encode("utf-8", "replace")
    if len(data) <= most:
        return data.decode()
    return data[: most - len(CUT.encode()) - 2].decode("utf-8", "ignore") + f"\n\n{CUT}"


def _with_ticks(text: str, old: str) -> str:
    done = {_key(found) for found in TICKED.findall(old.replace("\r\n", "\n"))}
    lines = [
        line.replace("- [ ] ", "- [x] ", 1) if line[:6] == "- [ ] " and _key(line[6:]) in done
        else line
        for line in text.split("\n")
    ]  # fmt: skip
    return "\n".join(lines)


def _key(item: str) -> str:
    """An item without its addresses, which name another commit each time."""
    return TARGET.sub("]", item).strip()
