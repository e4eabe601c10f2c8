"""Runs a composite action as GitHub's runner does, as far as actions like ours can tell.

https://docs.github.com/actions/reference/workflows-and-actions/metadata-syntax: inputs and their
defaults, `${{ … }}` in values, `if`, `env`, bash with `-eo pipefail`, and the files by which steps
speak (GITHUB_OUTPUT, GITHUB_ENV, GITHUB_PATH, GITHUB_STEP_SUMMARY). What it doesn't know raises.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

EXPRESSION = re.compile(r"\$\{\{\s*(.+?)\s*\}\}")
STEP_KEYS = {"name", "id", "if", "env", "run", "shell", "working-directory"}
FILES = ("GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_PATH", "GITHUB_STEP_SUMMARY")


@dataclass
class Ran:
    """What a run of the action left: outputs, log, summary and how it ended."""

    outputs: dict[str, str] = field(default_factory=dict)
    log: str = ""
    summary: str = ""
    code: int = 0


class UnknownSyntax(Exception):
    """The action uses something that this runner doesn't know."""


class Runner:
    """One job: the steps of an action share its temporary folder and its environment."""

    def __init__(self, action: Path, workspace: Path, temporary: Path) -> None:
        self.action, self.workspace, self.temporary = action, workspace, temporary
        self.description = yaml.safe_load((action / "action.yml").read_text(encoding="utf-8"))
        temporary.mkdir(parents=True, exist_ok=True)

    def run(self, inputs: Mapping[str, str], env: Mapping[str, str], github: Any) -> Ran:
        """Runs the steps in order; the first one that fails ends it."""
        unknown = set(inputs) - set(self.description["inputs"])
        if unknown:
            raise UnknownSyntax(f"the action has no inputs {sorted(unknown)}")
        contexts: dict[str, Any] = {
            "github": {**github, "action_path": str(self.action)},
            "runner": {"temp": str(self.temporary), "os": "Linux"},
            "steps": {},
        }
        contexts["inputs"] = {
            name: str(inputs.get(name, self._filled(about.get("default", ""), contexts)))
            for name, about in self.description["inputs"].items()
        }
        ran, shared = Ran(), dict(env)
        for step in self.description["runs"]["steps"]:
            self._step(step, contexts, shared, ran)
            if ran.code:
                break
        for name, about in self.description.get("outputs", {}).items():
            ran.outputs[name] = self._filled(about["value"], contexts)
        return ran

    def _step(self, step: dict[str, Any], contexts: Any, shared: dict[str, str], ran: Ran) -> None:
        if set(step) - STEP_KEYS or step.get("shell") != "bash":
            raise UnknownSyntax(f"step {step}")
        if "if" in step and self._value(str(step["if"]), contexts) in ("", "false"):
            return
        files = {name: self.temporary / name.lower() for name in FILES}
        for path in files.values():
            path.write_text("", encoding="utf-8")
        script = self.temporary / "step.sh"
        script.write_text(self._filled(step["run"], contexts), encoding="utf-8")
        own = {key: self._filled(value, contexts) for key, value in step.get("env", {}).items()}
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
            cwd=self.workspace / self._filled(step.get("working-directory", "."), contexts),
            env={
                **shared,
                "GITHUB_ACTIONS": "true",
                "CI": "true",
                "GITHUB_WORKSPACE": str(self.workspace),
                "GITHUB_ACTION_PATH": str(self.action),
                "RUNNER_TEMP": str(self.temporary),
                **own,
                **{name: str(path) for name, path in files.items()},
            },
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, timeout=600, check=False,
        )  # fmt: skip
        ran.log += done.stdout
        ran.code = done.returncode
        ran.summary += files["GITHUB_STEP_SUMMARY"].read_text(encoding="utf-8")
        outputs = parse(files["GITHUB_OUTPUT"].read_text(encoding="utf-8"))
        if "id" in step:
            contexts["steps"][step["id"]] = {"outputs": outputs}
        shared.update(parse(files["GITHUB_ENV"].read_text(encoding="utf-8")))
        added = files["GITHUB_PATH"].read_text(encoding="utf-8").splitlines()
        shared["PATH"] = os.pathsep.join([*reversed(added), shared["PATH"]])

    def _filled(self, text: Any, contexts: Any) -> str:
        return EXPRESSION.sub(lambda found: self._value(found[1], contexts), str(text))

    def _value(self, expression: str, contexts: Any) -> str:
        """`inputs.x`, `steps.x.outputs.y`, `github.token`, and comparisons with a literal."""
        found = re.fullmatch(r"(.+?)\s*(==|!=)\s*'([^']*)'", expression)
        if found:
            same = self._value(found[1], contexts) == found[3]
            return "true" if same is (found[2] == "==") else "false"
        value: Any = contexts
        for part in expression.split("."):
            if not isinstance(value, Mapping) or not re.fullmatch(r"[\w-]+", part):
                raise UnknownSyntax(expression)
            value = value.get(part, "")
            if value == "":
                return ""
        return str(value)


def parse(text: str) -> dict[str, str]:
    """`name=value` lines, and `name<<WORD` with lines up to WORD."""
    found: dict[str, str] = {}
    lines = iter(text.splitlines())
    for line in lines:
        name, heredoc, word = line.partition("<<")
        if heredoc and "=" not in name:
            value = []
            for each in lines:
                if each == word:
                    break
                value.append(each)
            else:
                raise UnknownSyntax(f"{name} is not ended by {word}")
            found[name] = "\n".join(value)
        elif line:
            name, equals, rest = line.partition("=")
            if not equals:
                raise UnknownSyntax(f"no name=value: {line}")
            found[name] = rest
    return found


def commands(log: str) -> list[str]:
    """What GitHub's runner would take for a command: https://github.com/actions/runner."""
    found, waiting_for = [], ""
    for line in log.splitlines():
        text = line.lstrip()
        if waiting_for:
            waiting_for = "" if text == f"::{waiting_for}::" else waiting_for
        elif text.startswith("::stop-commands::"):
            waiting_for = text.rpartition("::")[2]
        elif text.startswith("::") or "##[" in line:
            found.append(text)
    assert not waiting_for
    return found
