"""Command lines: which of them only look, and which change files, programs or machines."""

from __future__ import annotations

import re

from .words import words

HOLE = "\N{REPLACEMENT CHARACTER}"  # what of a command line nobody can tell
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
_CHANGING_FIND = re.compile(r"-(?:delete|exec|execdir|ok|fprint\w*|fls)\b")
_PARTS = re.compile(r"\|\||&&|[;|\n]|(?<![>&])&(?![>&\d])")
_SET = re.compile(r"\w+=\S*$")
# Where nothing is kept of what is shown, or what is shown of one stream is shown of another.
_NOWHERE = re.compile(r"&?\d?>>?\s*/dev/(?:null|stdout|stderr)\b|\d?>&\d")
_HIDING = re.compile(r"[`<>]|\$\(")


def only_looks(command: str) -> bool:
    """Whether a command line changes nothing, or nothing that is there already."""
    command = _NOWHERE.sub(" ", command)
    if _HIDING.search(command):
        return False
    return all(_looks(part.split()) for part in _PARTS.split(command) if part.strip())


def _looks(parts: list[str]) -> bool:
    while parts and (_SET.match(parts[0]) or parts[0] in ("time", "sudo", "command", "nohup")):
        parts = parts[1:]
    if not parts:
        return True
    program = parts[0].strip("'\"").rpartition("/")[2]
    if program == "find":
        return _CHANGING_FIND.search(" ".join(parts)) is None
    told = _LOOK_BY.get(program)
    if told is None:
        return program in _LOOK
    return len(parts) > 1 and parts[1] in told


def words_of(command: str) -> list[str]:
    """The words of a command line that may be paths."""
    words_ = re.split(r"[\s;|&<>'\"()=]+", command)
    return [word for word in words_[1:] if word and not word.startswith("-") and HOLE not in word]
