"""Bytes to text and back, exactly (promise 1)."""

from __future__ import annotations

import codecs

import pytest

from distify.assistant.files.source import Unreadable, decode

EXACT = [
    b"",
    b"x = 1",
    b"x = 1\r\ny = 2\n\rz\r",
    b"\x0c\nx = '\t'\x0c\n",
    "x = 'é \u2028 \u200b 😀'\n".encode(),
    codecs.BOM_UTF8 + "x = 'é'\n".encode(),
    codecs.BOM_UTF8 + b"# coding: utf-8\n",
    "# -*- coding: latin-1 -*-\nx = 'é'\n".encode("latin-1"),
    "# -*- coding: latin-1 -*- by José\nx = 'é'\n".encode("latin-1"),
    "#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\nx = '€'\n".encode("cp1252"),
    "# coding: shift_jis\nx = '日本'\n".encode("shift_jis"),
    "# coding: utf8\nx = 'é'\n".encode(),
    "# coding: gbk\r\nx = '中文'\r\n".encode("gbk"),
    b"# first\rx = f(encoding='none-such')\r",
    b"x = 1\n# third lines\n# coding: none-such\n",
]


@pytest.mark.parametrize("data", EXACT)
def test_what_is_read_is_written_back_byte_for_byte(data: bytes) -> None:
    source = decode(data)
    assert source.encode(source.text) == data
    assert not source.text.startswith("\ufeff")


@pytest.mark.parametrize(
    ("data", "message", "line"),
    [
        (b"x = 1\ny = '\xe9'\n", "byte 0xe9 is not valid utf-8", 2),
        (b"x\r\ny\rz\n'\xff'", "byte 0xff is not valid utf-8", 4),
        (codecs.BOM_UTF8 + b"'\xe9'\n", "byte 0xe9 is not valid utf-8", 1),
        (b"# coding: klingon\n", "unknown encoding: klingon", 1),
        (b"# coding: rot13\n", "no text encoding", 1),
        (codecs.BOM_UTF8 + b"# coding: latin-1\n", "byte order mark", 1),
        (b"# coding: ascii\nx = '\xe9'\n", "0xe9 is not valid ascii", 2),
        (b"x = 1\n\0\n", "null byte", 2),
        ("import tensorflow\n".encode("utf-16"), "UTF-16", 0),
        (b"# coding: utf-7\nx = '+AGE-'\n", "can't be written back exactly", 0),
        (b"# coding: idna\nx = 1\n", "can't be written back exactly", 0),
        (b"# coding: punycode\nx = 1\n", "punycode", 1),  # Python 3.13 also says which byte
        (b"# coding: undefined\nx = 1\n", "name undefined, and it isn't that", 1),
        (b"\xef\xbb\xbf\xef\xbb\xbfx = 1\n", "two byte order marks", 1),
    ],
)
def test_what_python_could_not_read_is_named(data: bytes, message: str, line: int) -> None:
    with pytest.raises(Unreadable) as caught:
        decode(data)
    assert message in caught.value.message
    assert caught.value.line == line


def test_a_result_that_the_encoding_lacks_is_refused() -> None:
    with pytest.raises(Unreadable, match="can't be written as"):
        decode(b"# coding: ascii\n").encode("x = 'é'\n")


@pytest.mark.parametrize(
    ("text", "skips"),
    [
        ("# distify: skip-file\nx = 1\n", True),
        ("x = 1  #distify:skip-file because it is generated\n", True),
        ("x = '# distify: skip-file'\n", False),
        ('"""\n# distify: skip-file\n"""\n', False),
        ("# distify: skip-files\n", False),
        ("# see distify: skip-file\n", False),
        ("# distify: skip-file\nx = (\n", False),  # broken: the parser is to say so
        ("x = 1\n", False),
    ],
)
def test_a_file_can_ask_to_be_skipped_in_a_comment(text: str, skips: bool) -> None:
    assert decode(text.encode()).skips_itself() is skips
