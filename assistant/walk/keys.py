"""The keys of each step of the walk, and what they do."""

from __future__ import annotations

from collections.abc import Mapping

from .dialogue import (
    ALL,
    BACK,
    CHOICES,
    DONE,
    EDIT,
    EVERYWHERE,
    NO,
    QUIT,
    SPLIT,
    SUPPRESS,
    TRY,
    YES,
    Asked,
    Loss,
    Obstacle,
    Question,
)
from .split import hunks

HELP = "?"
KEYS: Mapping[type, Mapping[str, str]] = {
    Question: {
        YES: "apply this rule to this file",
        NO: "leave it out; what falls away with it is said first",
        ALL: "apply this rule and all others that are still to be asked of this file",
        DONE: "done with this file: leave out this rule and all that is still to be asked of it",
        SPLIT: "split: ask about each hunk of this rule by itself",
        EDIT: "edit what the rule makes; what comes back is looked at like any file",
        EVERYWHERE: "apply this rule to this file and to all others",
        TRY: "run `distify verify` on what the file is to be, in a copy of the project",
        BACK: "back to the last answer",
        QUIT: "quit; --resume goes on from here",
        HELP: "these keys and the page of the rule",
    },
    Obstacle: {
        YES: "go on; the file stays as it is",
        EDIT: "edit the file, then look at it again",
        SUPPRESS: "take it on you: a comment in the file says so, with your reason",
        BACK: "back to the last answer",
        QUIT: "quit; --resume goes on from here",
        HELP: "these keys and the page of the reason",
    },
    Loss: {YES: "leave it out all the same", NO: "don't; ask again"},
}
HUNK: Mapping[str, str] = {
    YES: "take this hunk",
    NO: "leave it out",
    ALL: "take this hunk and all later ones of the rule",
    DONE: "leave out this hunk and all later ones of the rule",
    QUIT: "back to the rule as a whole",
    HELP: "these keys",
}


def keys_of(step: Asked) -> Mapping[str, str]:
    """The keys of one step: one for each repair, those of its kind; `e`, `s` for one file."""
    repairs = step.repairs if isinstance(step, Obstacle) else ()
    chosen = {key: f"{offer.code}: {offer.title}" for key, offer in zip(CHOICES, repairs)}
    keys = {**chosen, **KEYS[type(step)]}
    if isinstance(step, Question):
        if step.outcome.beside:
            del keys[EDIT]
        if step.outcome.beside or len(hunks(step.before, step.after)) < 2:
            del keys[SPLIT]
    return keys
