"""What comes back from a person's own editor, on the walk."""

from __future__ import annotations

from typing import Callable

import click

from ..walk.dialogue import EDIT, Answer, Asked, Edited, Question


def edited(step: Asked, say: Callable[[str, str], None]) -> Answer:
    """What a person made of a rule, or that the file was edited; None if nothing was done there.

    An editor that fails, or is not there, is told, and nothing was done.
    """
    try:
        if not isinstance(step, Question):
            click.edit(filename=step.outcome.target.path)
            return EDIT
        text = click.edit(step.after, extension=".py")
    except click.ClickException as error:
        say(f"{error.format_message()}; the variable EDITOR can name another one", "blocked")
        return None
    return Edited(text) if text else None
