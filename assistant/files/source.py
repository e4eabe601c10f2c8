"""Bytes to text and back, exactly: PEP 263 cookies, byte order marks, any line ending."""

from __future__ import annotations

import codecs
import errno
import io
import os
import re
import stat
from typing import TYPE_CHECKING

from distify.codemods.program.records import NamedTuple

if TYPE_CHECKING:
    from ..notebooks.notebook_cells import Cells

MOST = 2_000_000  # bytes of a program
MOST_LINES = 50_000
LARGEST_NOTEBOOK = 10_000_000  # bytes: pictures among the outputs make notebooks large
LONGEST_LINE = 1_000_000  # characters
LARGEST = 100_000_000  # bytes of anything that is read at once
DIVIDE = "move what is generated, and tables of data, into files of their own"
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
UTF16 = (b"\xff\xfe", b"\xfe\xff")
_NOT_ASCII = re.compile(rb"[\x80-\xff]")
_LINE_END = re.compile(rb"\r\n|\r|\n")
_SKIP_FILE = re.compile(r"#\s*distify:\s*skip-file\b")
_SKIP_FILE_BYTES = re.compile(rb"#\s*distify:\s*skip-file\b")


class Unreadable(ValueError):
    """The bytes are no Python source; `line` counts from 1, 0 says the whole file.

    In a notebook it is a line of the cell of this number.
    """

    def __init__(self, message: str, line: int = 0, cell: int = 0, column: int = 0) -> None:
        super().__init__(message)
        self.message, self.line, self.cell, self.column = message, line, cell, column


class Source(NamedTuple):
    """A text with everything that is needed to write it back byte for byte."""

    data: bytes
    text: str
    encoding: str
    cells: Cells | None = None  # of a notebook, whose module the text is

    def encode(self, text: str) -> bytes:
        """The bytes of a new text in the same encoding, checked by reading them again.

        Raises Unreadable if they would not be that text.
        """
        if self.cells is not None:
            text = self._notebook(self.cells, text)
        try:
            data = text.encode(self.encoding)
        except UnicodeEncodeError as error:
            message = f"the result can't be written as {self.encoding}: {error.reason}"
            raise Unreadable(message) from None
        if data.decode(self.encoding) != text:
            raise Unreadable(f"the result can't be written exactly as {self.encoding}")
        return data

    def with_text(self, text: str) -> Source:
        """The same file with another text. Raises Unreadable."""
        data = self.encode(text)
        if self.cells is None:
            return self._replace(data=data, text=text)
        return decode_notebook(data)

    def _notebook(self, cells: Cells, text: str) -> str:
        from ..notebooks.notebook_cells import LOST
        from ..notebooks.restored import Lost

        try:
            return cells.becomes(text)
        except Lost as error:
            raise Unreadable(LOST.format(error)) from None

    def skips_itself(self) -> bool:
        """Whether a comment says `# distify: skip-file` (in a string it says nothing)."""
        if not _SKIP_FILE_BYTES.search(self.data):
            return False
        import tokenize

        try:
            tokens = tokenize.generate_tokens(io.StringIO(self.text).readline)
            comments = [token.string for token in tokens if token.type == tokenize.COMMENT]
        except (tokenize.TokenError, SyntaxError):
            return False  # the parser will say what is wrong, and where
        return any(_SKIP_FILE.match(comment) for comment in comments)


def read(path: str, most: int = LARGEST) -> bytes:
    """The bytes of a regular file, up to one more than `most`. Raises OSError.

    Something else may stand there since it was found, as a pipe that nobody writes to.
    """
    handle = os.open(path, _READ)
    with open(handle, "rb", buffering=0) as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "is no file any more", path)
        return file.read(most + 1) or b""


def decode(data: bytes) -> Source:
    """Raises Unreadable where Python itself could not read these bytes either, or they are many."""
    if len(data) > MOST:
        raise Unreadable(f"is larger than {MOST // 1_000_000} MB: {DIVIDE}")
    _refuse_binary(data)
    encoding = _encoding(data)
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        rest, name = error.object, encoding.removesuffix("-sig")  # without a byte order mark
        line = len(_LINE_END.findall(rest[: error.start])) + 1
        raise Unreadable(
            f"byte 0x{rest[error.start]:02x} is not valid {name}; save the file as UTF-8 "
            "or name its encoding in its first line (PEP 263)",
            line,
        ) from None
    except LookupError:
        raise Unreadable(f"its first lines name {encoding}, which is no text encoding", 1) from None
    except UnicodeError:  # an encoding of something else, as `idna` of the names of hosts
        raise Unreadable(f"its first lines name {encoding}, and it isn't that", 1) from None
    _refuse_long(text)
    if not _is_written_back(text, encoding, data):
        raise Unreadable(f"its {encoding} text can't be written back exactly; save it as UTF-8")
    return Source(data, text, encoding)


def decode_notebook(data: bytes) -> Source:
    """The code cells of a notebook as one text. Raises Unreadable."""
    from ..notebooks.layout import BadNotebook, layout
    from ..notebooks.notebook_cells import cells
    from ..notebooks.syntax import Bad

    if len(data) > LARGEST_NOTEBOOK:
        raise Unreadable(
            f"is a notebook of more than {LARGEST_NOTEBOOK // 1_000_000} MB: clear its outputs"
        )
    encoding = "utf-8-sig" if data.startswith(codecs.BOM_UTF8) else "utf-8"
    try:
        read = cells(layout(data.decode(encoding)))
    except UnicodeDecodeError:
        raise Unreadable("is no UTF-8, which a notebook has to be") from None
    except BadNotebook as error:
        raise Unreadable(str(error)) from None
    except Bad as error:
        raise Unreadable(error.message, error.line, error.cell, error.column) from None
    return Source(data, read.text, encoding, read)


def _is_written_back(text: str, encoding: str, data: bytes) -> bool:
    try:
        return text.encode(encoding, "replace") == data
    except UnicodeError:
        return False


def _refuse_long(text: str) -> None:
    """Nobody wrote it by hand, and each look at it would cost minutes."""
    if len(text) < MOST_LINES:
        return
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        raise Unreadable(f"has more than {MOST_LINES:,} lines: {DIVIDE}")
    for number, line in enumerate(lines, 1):
        if len(line) > LONGEST_LINE:
            raise Unreadable(f"has a line of more than {LONGEST_LINE:,} characters", number)


def _refuse_binary(data: bytes) -> None:
    if data.startswith(UTF16):
        raise Unreadable("is UTF-16, which Python can't read as source; save it as UTF-8")
    if data.startswith(2 * codecs.BOM_UTF8):
        raise Unreadable("begins with two byte order marks; Python takes one", 1)
    at = data.find(b"\0")
    if at >= 0:
        line = data.count(b"\n", 0, at) + 1
        raise Unreadable("holds a null byte, so it is no Python source", line)


def _encoding(data: bytes) -> str:
    """What PEP 263 says; only the first two lines count, whatever ends them."""
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    head = b"\n".join(_LINE_END.split(data[len(mark) :], 2)[:2]) + b"\n"
    # Python takes a name with other bytes beside it in a comment; `tokenize` wants those valid.
    head = mark + _NOT_ASCII.sub(b"?", head)
    if b"coding" not in head:  # as in most files: a hook needs no tokenizer for those
        return "utf-8-sig" if mark else "utf-8"
    import tokenize

    try:
        return tokenize.detect_encoding(io.BytesIO(head).readline)[0]
    except SyntaxError as error:
        words = str(error)
        if "unknown encoding" in words:
            raise Unreadable(f"its first lines name an {words}", 1) from None
        if "encoding problem" in words:
            raise Unreadable("names another encoding than its byte order mark", 1) from None
        return "utf-8"  # invalid bytes: decoding the whole text names byte and line
