"""A small GitLab with a memory, on the wire of the small GitHub (server.py).

What it is asked and what it answers is held against gitlab.json, which says where that comes from.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, ClassVar
from urllib.parse import unquote

from .server import State

PROJECT, FORK = "group/sub.group/project", "another/project"
NUMBERS = {PROJECT: 7, FORK: 8}  # of projects
PEOPLE = {"someone": 11, "other": 12, "third": 13}


@dataclass
class GitLab(State):
    """One project in a group of a group, and a fork of it; `free` takes one person of a kind."""

    milestones: list[str] = field(default_factory=list)  # of the project; the first is number 1
    inherited: list[str] = field(default_factory=list)  # of its group
    free: bool = False
    project: str = PROJECT  # that is asked

    described: ClassVar[str] = "gitlab.json"
    user: ClassVar[str] = "oauth2"
    names: ClassVar[tuple[str, str]] = (PROJECT, FORK)

    def answer(self, method: str, path: str, query: dict[str, str], body: Any) -> tuple[int, Any]:
        if path == "/api/v4/users":
            name = query.get("username", "").lower()
            return 200, [_user(n) for n in PEOPLE if n == name or not name]
        found = re.fullmatch(r"/api/v4/projects/([^/]+)(.*)", path)
        self.project = unquote(found[1]) if found else ""
        if not found or self.project not in NUMBERS:
            return 404, {"message": "404 Project Not Found"}
        for pattern, verb, handler in ROUTES:
            match = re.fullmatch(pattern, found[2])
            if match and verb == method:
                result: tuple[int, Any] = handler(self, query, body, *match.groups())
                return result
        return 404, {"error": "404 Not Found"}

    def show_project(self, query: Any, body: Any) -> tuple[int, Any]:
        return 200, {"id": NUMBERS[self.project], "default_branch": "main"}

    def list_requests(self, query: dict[str, str], body: Any) -> tuple[int, Any]:
        self.late, late = max(0, self.late - 1), self.late
        found = [
            self._now(each) for each in self.pulls
            if each["state"] == query["state"] and each["source_branch"] == query["source_branch"]
        ]  # fmt: skip
        return 200, [] if late else found

    def create_request(self, query: Any, body: Any) -> tuple[int, Any]:
        source = NUMBERS[self.project]
        away = self.fork if source == NUMBERS[FORK] else None
        if not self.head(body["source_branch"], away):
            return 400, {"message": {"source_branch": ["does not exist"]}}
        target = body.get("target_project_id", source)
        ends = (source, body["source_branch"], target, body["target_branch"])
        for each in self.pulls:
            if each["state"] == "opened" and ends == _ends(each):
                said = "Another open merge request already exists for this source branch"
                return 409, {"message": [f"{said}: !{each['iid']}"]}
        number = len(self.pulls) + 1
        made = {
            "id": 100 + number, "iid": number, "state": "opened", "labels": [], "assignees": [],
            "reviewers": [], "milestone": None, "assignee": None, "source_project_id": source,
            "target_project_id": target, "source_branch": body["source_branch"],
            "target_branch": body["target_branch"],
            "web_url": f"https://gitlab.example/{PROJECT}/-/merge_requests/{number}",
        }  # fmt: skip
        self.pulls.append(made)
        return 201, self._changed(made, body)

    def show_request(self, query: Any, body: Any, number: str) -> tuple[int, Any]:
        return 200, self._now(self.pulls[int(number) - 1])

    def change_request(self, query: Any, body: Any, number: str) -> tuple[int, Any]:
        made = self.pulls[int(number) - 1]
        known = {each["id"] for each in self._milestones()}
        if body.get("milestone_id", min(known, default=0)) not in known | {0}:
            return 400, {"message": {"milestone": ["is invalid"]}}
        if body.get("state_event") == "close":
            made["state"] = "closed"
        made["labels"] += [
            name for name in body.get("add_labels", ()) if name not in made["labels"]
        ]
        for role in ("assignee", "reviewer"):
            if f"{role}_ids" in body:
                ids = body[f"{role}_ids"][: 1 if self.free else None]
                made[f"{role}s"] = [_user(n) for n, i in PEOPLE.items() if i in ids]
        if "milestone_id" in body:
            (made["milestone"],) = (
                m for m in self._milestones() if m["id"] == body["milestone_id"]
            )
        return 200, self._changed(made, body)

    def list_notes(self, query: dict[str, str], body: Any, number: str) -> tuple[int, Any]:
        size, page = int(query.get("per_page", 20)), int(query.get("page", 1))
        texts = self.comments.get(int(number), [])[size * (page - 1) : size * page]
        return 200, [{"id": n, "body": text} for n, text in enumerate(texts, 1)]

    def add_note(self, query: Any, body: Any, number: str) -> tuple[int, Any]:
        self.comments.setdefault(int(number), []).append(body["body"])
        return 201, {"id": 1, "body": body["body"]}

    def list_milestones(self, query: dict[str, str], body: Any) -> tuple[int, Any]:
        size, page = int(query.get("per_page", 20)), int(query.get("page", 1))
        found = [m for m in self._milestones() if "project_id" in m or query["include_ancestors"]]
        return 200, found[size * (page - 1) : size * page]

    def _milestones(self) -> list[dict[str, Any]]:
        own = [
            {"id": 200 + n, "iid": n, "project_id": 7, "title": title}
            for n, title in enumerate(self.milestones, 1)
        ]
        return own + [
            {"id": 500 + n, "iid": n, "group_id": 3, "title": title}
            for n, title in enumerate(self.inherited, 1)
        ]

    def _changed(self, made: dict[str, Any], body: dict[str, Any]) -> dict[str, Any]:
        made.update({key: body[key] for key in ("title", "description") if key in body})
        made["draft"] = made["title"].startswith("Draft: ")
        return self._now(made)

    def _now(self, made: dict[str, Any]) -> dict[str, Any]:
        """A merge request with the commit that its branch points to at the moment."""
        away = self.fork if made["source_project_id"] == NUMBERS[FORK] else None
        return made | {"sha": self.head(made["source_branch"], away)}


def _user(name: str) -> dict[str, Any]:
    return {"id": PEOPLE[name], "username": name, "name": name.title()}


def _ends(made: dict[str, Any]) -> tuple[Any, ...]:
    kinds = ("source_project_id", "source_branch", "target_project_id", "target_branch")
    return tuple(made[kind] for kind in kinds)


ROUTES = (
    ("", "GET", GitLab.show_project),
    ("/merge_requests", "GET", GitLab.list_requests),
    ("/merge_requests", "POST", GitLab.create_request),
    (r"/merge_requests/(\d+)", "GET", GitLab.show_request),
    (r"/merge_requests/(\d+)", "PUT", GitLab.change_request),
    (r"/merge_requests/(\d+)/notes", "GET", GitLab.list_notes),
    (r"/merge_requests/(\d+)/notes", "POST", GitLab.add_note),
    ("/milestones", "GET", GitLab.list_milestones),
)
