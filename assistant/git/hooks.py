"""The user's hooks, and the settings by which git signs."""

from __future__ import annotations

import os
from collections.abc import Iterator

from .repository import Repository

HOOKS = ("pre-commit", "prepare-commit-msg", "commit-msg", "post-commit")
BYPASSED = ("pre-commit", "commit-msg")  # by --no-verify
SIGNERS = ("gpg.format", "gpg.program", "gpg.ssh.program", "gpg.x509.program")


def hooks_folder(repository: Repository) -> str:
    """Absolute, so that it holds in another work tree, too."""
    path = repository.line("rev-parse", "--git-path", "hooks")
    return os.path.join(repository.top, path)


def has_hooks(repository: Repository, verify: bool) -> bool:
    """Whether `git commit` would run any; newer versions of git also take them from settings."""
    folder = hooks_folder(repository)
    names = [name for name in HOOKS if verify or name not in BYPASSED]
    paths = [os.path.join(folder, name) for name in names]
    named = any(os.path.isfile(path) and os.access(path, os.X_OK) for path in paths)
    return named or bool(repository.ask("config", "--get-regexp", r"^hook\..*\.command$"))


def signs(repository: Repository) -> bool:
    """Whether the settings ask for signatures."""
    return repository.ask("config", "--type=bool", "commit.gpgSign") == "true"


def signing(repository: Repository) -> Iterator[str]:
    """Settings of the user's folder: `includeIf.gitdir:….git` does not hold in another one.

    A key of ssh is a file; git looks for it from the top folder, which is another one here.
    """
    key = repository.ask("config", "--type=path", "user.signingKey")
    place = os.path.join(repository.top, key)
    is_file = repository.ask("config", "gpg.format") == "ssh" and os.path.isfile(place)
    found = {name: repository.ask("config", name) for name in SIGNERS}
    found["user.signingKey"] = place if is_file else key
    found["commit.gpgSign"] = "true" if signs(repository) else ""
    for name, value in found.items():
        if value:
            yield from ("-c", f"{name}={value}")
