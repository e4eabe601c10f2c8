"""Why the files of a program can't be changed together (T01)."""

from __future__ import annotations

from ..model import BLOCKED, Finding

CODE = "T01"
WHERE = "the edits of one rule reach over two files ({})"
EARLY = "`{}` runs this when it is imported, before `hvd.init()`: no worker knows its number there"
OTHER_MEANING = "`{}` means something else in `{}` than in the entry"
HIDDEN_BUILTIN = "`{}` is no builtin in `{}`, and new code needs that"
UNREAD = "with what changes, these files could not be read together: {}"
NO_PLACE = "`{}` has no import beside which Horovod's could go"
FAR = "`{}` needs `{}` here, which distify can write into `{}` only"
ALONE = "this file was looked at without the modules of its project that it imports: {}"
LEFT = "`{}` is not followed: {}"
NAMED = "import modules by their names, and let nobody change them from outside"
MOVE = "move it into a function that the entry calls, or keep it in the entry's own file"


class Refused(Exception):
    """Why the files can't be changed, with the line of the program at which that is so."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line, self.message = line, message


def refusal(refused: Refused) -> Finding:
    """The finding that keeps all of the files as they are."""
    return Finding(refused.line, 0, CODE, refused.message, MOVE, BLOCKED)
