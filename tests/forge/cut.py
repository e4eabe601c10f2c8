"""Cuts GitHub's OpenAPI description down to the operations that distify uses.

    npm pack @octokit/openapi && tar xzf octokit-openapi-*.tgz
    python tests/forge/cut.py package/generated/api.github.com.json > tests/forge/github.json

The description is GitHub's (MIT licence); examples and long texts are left out, nothing is added.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

OPERATIONS = {
    "/repos/{owner}/{repo}": ["get"],
    "/repos/{owner}/{repo}/pulls": ["get", "post"],
    "/repos/{owner}/{repo}/pulls/{pull_number}": ["patch"],
    "/repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers": ["post"],
    "/repos/{owner}/{repo}/git/blobs": ["post"],
    "/repos/{owner}/{repo}/git/commits": ["post"],
    "/repos/{owner}/{repo}/git/trees": ["post"],
    "/repos/{owner}/{repo}/issues/{issue_number}": ["patch"],
    "/repos/{owner}/{repo}/issues/{issue_number}/assignees": ["post"],
    "/repos/{owner}/{repo}/issues/{issue_number}/comments": ["get", "post"],
    "/repos/{owner}/{repo}/issues/{issue_number}/labels": ["post"],
    "/repos/{owner}/{repo}/milestones": ["get"],
}
NOISE = frozenset({"examples", "example", "x-github", "x-webhooks", "externalDocs", "tags"})


def without_noise(node: Any, in_properties: bool = False) -> Any:
    """The same without examples and texts; a property may be called `description` itself."""
    if isinstance(node, list):
        return [without_noise(each) for each in node]
    if not isinstance(node, dict):
        return node
    return {
        key: without_noise(value, key == "properties")
        for key, value in node.items()
        if in_properties or (key not in NOISE and not _is_text(key, value))
    }


def _is_text(key: str, value: Any) -> bool:
    return key in ("description", "summary", "title") and isinstance(value, str)


def references(node: Any) -> Iterator[str]:
    """Every `$ref` below a node."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "$ref" and isinstance(value, str):
                yield value
            else:
                yield from references(value)
    elif isinstance(node, list):
        for each in node:
            yield from references(each)


def cut(whole: dict[str, Any]) -> dict[str, Any]:
    """The operations and every component that they lead to."""
    paths = without_noise(
        {
            path: {
                key: value
                for key, value in whole["paths"][path].items()
                if key in methods or key == "parameters"
            }
            for path, methods in OPERATIONS.items()
        }
    )
    components: dict[str, dict[str, Any]] = {}
    waiting = list(references(paths))
    while waiting:
        _, _, kind, name = waiting.pop().split("/")
        if name not in components.setdefault(kind, {}):
            components[kind][name] = without_noise(whole["components"][kind][name])
            waiting.extend(references(components[kind][name]))
    return {
        "openapi": whole["openapi"],
        "info": {"title": "GitHub", "version": whole["info"]["version"]},
        "servers": [{"url": "http://localhost"}],
        "paths": _described(paths),
        "components": components,
    }


def _described(paths: dict[str, Any]) -> dict[str, Any]:
    """A response must have a description."""
    for operations in paths.values():
        for operation in operations.values():
            for response in operation.get("responses", {}).values():
                if "$ref" not in response:
                    response["description"] = ""
    return paths


if __name__ == "__main__":
    described = cut(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    for response in described["components"].get("responses", {}).values():
        response["description"] = ""
    json.dump(described, sys.stdout, indent=1, sort_keys=True)
    sys.stdout.write("\n")
