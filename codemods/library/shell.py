"""Command lines: which of them only look, and which change files.

What is installed is installed for a machine: where it is there already, nothing is done.
"""

from __future__ import annotations

import re

from .words import words

HOLE = "\N{REPLACEMENT CHARACTER}"  # what of a command line nobody can tell
NOTEBOOK = "get_ipython"  # whose methods run lines of a notebook
# Those that give a line to a shell, and cells that one runs.
_SHELL_METHODS = words("system getoutput")
_SHELL_CELLS = re.compile(r"\s*(?:bash|sh|script|perl|ruby|cmd|!|sx|system)\b")
# Programs that only show something, whatever they are told.
_LOOK = words(
    """
    cat date df dir du echo egrep env fgrep file free grep groups head history hostname id ifconfig
    ls lsb_release lscpu lsmem lspci md5sum nproc nvcc nvidia-smi nvtop ps printenv printf pwd
    sha256sum sleep stat tail top tree true tty type ulimit uname uptime wc where whereis which who
    whoami clear cls cd test [ false : rocm-smi lsof locale stty reset title color pause
    """
)
# Of some it depends on what they are told first.
_LOOK_BY = {
    "git": words("log status diff show rev-parse describe branch remote ls-files blame --version"),
    "pip": words("list show freeze check --version -V"),
    "pip3": words("list show freeze check --version -V"),
    "conda": words("list info --version env"),
    "python": words("--version -V"),
    "python3": words("--version -V"),
    "tar": words("tf tvf -tf -tvf --list"),
    "unzip": words("-l -v -t"),
    "gsutil": words("ls du"),
    "kaggle": words("--version"),
    "mkdir": words("-p --parents"),
}
_BEFORE = ("time", "sudo", "command", "nohup")
_INSTALLERS = words("pip pip3 conda mamba apt apt-get yum dnf apk brew")
_CHANGING_FIND = re.compile(r"-(?:delete|exec|execdir|ok|fprint\w*|fls)\b")
_PARTS = re.compile(r"\|\||&&|[;|\n]|(?<![>&])&(?![>&\d])")
_SET = re.compile(r"\w+=\S*$")
# Where nothing is kept of what is shown, or what is shown of one stream is shown of another.
_NOWHERE = re.compile(r"&?\d?>>?\s*/dev/(?:null|stdout|stderr)\b|\d?>&\d")
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_HIDING = re.compile(r"[`<>]|\$\(")


def runs_line(method: str) -> bool:
    """Whether a method of IPython gives a line to a shell."""
    return method in _SHELL_METHODS


def shell_text(method: str, text: str) -> str:
    """What a shell runs of what a method of IPython is given: a line, or what a cell holds."""
    if runs_line(method):
        return text
    return text.partition("\n")[2] if _SHELL_CELLS.match(text) else ""


def only_looks(command: str) -> bool:
    """Whether a command line changes nothing, or nothing that is there already."""
    plain = _plain(command)
    return not _HIDING.search(plain) and all(map(_looks, _simple(plain)))


def only_installs(command: str) -> bool:
    """Whether a command line installs programs, and does no more than look beside that."""
    plain = _plain(command)
    return not _HIDING.search(plain) and all(
        _installs(part) or _looks(part) for part in _simple(plain)
    )


def _plain(command: str) -> str:
    """A command line without what is quoted, and without the streams that nobody keeps."""
    command = _QUOTED.sub(_unquoted, command.replace("\\\n", " "))
    return _NOWHERE.sub(" ", command)


def _unquoted(found: re.Match[str]) -> str:
    return found[0] if _HIDING.search(found[0].replace("<", "").replace(">", "")) else "_"


def _simple(plain: str) -> list[list[str]]:
    """The words of each command of a line."""
    return [part.split() for part in _PARTS.split(plain) if part.strip()]


def _installs(parts: list[str]) -> bool:
    program, told = _program(parts)
    is_module = told[:2] in (["-m", "pip"], ["-m", "conda"])
    return is_module or program in _INSTALLERS


def _looks(parts: list[str]) -> bool:
    program, told = _program(parts)
    if program == "find":
        return _CHANGING_FIND.search(" ".join(told)) is None
    first = _LOOK_BY.get(program)
    if first is None or not told:
        return not program or program in _LOOK
    return told[0] in first


def _program(parts: list[str]) -> tuple[str, list[str]]:
    """The program of a simple command, and what it is told."""
    while parts and (_SET.match(parts[0]) or parts[0] in _BEFORE):
        parts = parts[1:]
    if not parts:
        return "", []
    return parts[0].strip("'\"").rpartition("/")[2], parts[1:]


def words_of(command: str) -> list[str]:
    """The words of a command line that may be paths."""
    words_ = re.split(r"[\s;|&<>'\"()=]+", command)
    return [word for word in words_[1:] if word and not word.startswith("-") and HOLE not in word]
