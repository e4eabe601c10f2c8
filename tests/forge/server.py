"""A small forge with a memory: every request and response is checked against the description.

What it answers is made from a complete example of each schema, so that nothing is left out that
GitHub always sends; the branches are those of a bare repository.
"""

from __future__ import annotations

import base64
import json
import os
import re
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar, TypeVar
from urllib.parse import SplitResult, parse_qs, urlsplit

from openapi_core import OpenAPI
from openapi_core.testing import MockRequest, MockResponse

HERE = Path(__file__).parent
TOKEN = "ghs_a-secret-that-must-not-be-seen"
REPOSITORY = "someone/project"
FORK = "Another/project-fork"  # of it, at the same server


@cache
def description(name: str = "github.json") -> tuple[dict[str, Any], OpenAPI]:
    """A forge's description as data and as a judge."""
    data = json.loads((HERE / name).read_text(encoding="utf-8"))
    return data, OpenAPI.from_dict(data)


@dataclass
class Fault:
    """What to answer instead, so many times; `done` says whether the request is carried out."""

    method: str
    path: str  # a regular expression
    status: int
    times: int = 1
    done: bool = False
    headers: dict[str, str] = field(default_factory=dict)
    body: dict[str, Any] = field(default_factory=dict)


@dataclass
class Redirect:
    """What begins like this (a regular expression) is said to be on another server."""

    path: str
    there: str
    status: int
    method: str = ""  # any one if empty


@dataclass
class State:
    """What every forge remembers: its branches, what it was asked, and how it is to fail."""

    bare: Path
    fork: Path | None = None
    pulls: list[dict[str, Any]] = field(default_factory=list)
    comments: dict[int, list[str]] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    redirects: list[Redirect] = field(default_factory=list)
    echo: bool = False  # it refuses everything, and repeats the token
    garbled: bytes | None = None  # what it answers in the place of JSON
    late: int = 0  # so many lists of pull requests don't know the latest yet
    shown: list[str] = field(default_factory=list)  # every Authorization
    seen: list[tuple[str, str]] = field(default_factory=list)  # method and path
    wrong: list[str] = field(default_factory=list)  # what did not agree with the description
    token: str = TOKEN
    read_only: bool = False  # the token may not push
    url: str = ""

    described: ClassVar[str] = "github.json"
    user: ClassVar[str] = "x-access-token"  # that git names beside the token
    names: ClassVar[tuple[str, str]] = (REPOSITORY, FORK)

    def git(self, *command: str) -> str:
        done = subprocess.run(
            ["git", "-C", str(self.bare), *command], capture_output=True, text=True, check=False
        )
        return done.stdout.strip()

    def head(self, branch: str, bare: Path | None = None) -> str:
        name = f"refs/heads/{branch}"
        return self.git(*_at(bare), "rev-parse", "--verify", "--quiet", name)

    def answer(self, method: str, path: str, query: dict[str, str], body: Any) -> tuple[int, Any]:
        raise NotImplementedError


@dataclass
class GitHub(State):
    """One repository of GitHub's."""

    milestones: list[str] = field(default_factory=list)  # open ones, the first is number 1
    person: str = ""  # whose token it is; a bot's if empty, and then commits are signed
    clock: int = 1_700_000_000  # seconds
    spoilt: str = ""  # what of a commit the server makes otherwise: message, author, tree, payload
    at: Path | None = None  # the fork, while it is asked

    # -- the operations ----------------------------------------------------------------------

    def answer(self, method: str, path: str, query: dict[str, str], body: Any) -> tuple[int, Any]:
        for name, bare in ((REPOSITORY, None), (FORK, self.fork)):
            if path.startswith(f"/repos/{name}") and (bare or name == REPOSITORY):
                self.at, rest = bare, path[len(f"/repos/{name}") :]
                break
        else:
            return 404, {"message": "Not Found"}
        for pattern, verb, handler in ROUTES:
            found = re.fullmatch(pattern, rest)
            if found and verb == method:
                return handler(self, query, body, *found.groups())
        return 404, {"message": "Not Found"}

    def repository(self, query: Any, body: Any) -> tuple[int, Any]:
        return 200, example("/repos/{owner}/{repo}", "get", "200") | {"default_branch": "main"}

    def list_pulls(self, query: dict[str, str], body: Any) -> tuple[int, Any]:
        owner, _, branch = query.get("head", "").partition(":")
        state, base = query.get("state", "open"), query.get("base")
        found = [
            pull
            for pull in self.pulls
            if pull["state"] == state
            and pull["base"]["ref"] == (base or pull["base"]["ref"])
            and (pull["owner"], pull["head"]["ref"]) == (owner, branch)
        ]
        if self.late:
            self.late -= 1
            found = []
        simple = example("/repos/{owner}/{repo}/pulls", "get", "200")[0]
        told = {*simple, "draft"}
        return 200, [simple | {k: self._now(p)[k] for k in told & set(p)} for p in found]

    def create_pull(self, query: Any, body: Any) -> tuple[int, Any]:
        owner, colon, branch = body["head"].rpartition(":")
        owner = owner or REPOSITORY.split("/")[0]
        away = self.fork if owner == FORK.split("/")[0] else None
        if not self.head(branch, away) or (colon and away is None):
            return _invalid("head invalid")
        if any(p["state"] == "open" and _goes_from_to(p, body) for p in self.pulls):
            return _invalid(f"A pull request already exists for {body['head']}.")
        number = len(self.pulls) + 1
        made = example("/repos/{owner}/{repo}/pulls", "post", "201")
        made |= {
            "number": number,
            "html_url": f"https://github.example/{REPOSITORY}/pull/{number}",
            "title": body["title"],
            "body": body.get("body", ""),
            "draft": body.get("draft", False),
            "state": "open",
            "labels": [],
            "assignees": [],
            "requested_reviewers": [],
        }
        made["head"] = made["head"] | {"ref": branch}
        if away:
            repository = made["head"]["repo"] | {"id": 2, "full_name": FORK}
            made["head"] = made["head"] | {"repo": repository}
        made["owner"] = owner
        made["base"] = made["base"] | {"ref": body["base"]}
        self.pulls.append(made)
        return 201, self._now(made)

    def change_pull(self, query: Any, body: Any, number: str) -> tuple[int, Any]:
        pull = self.pulls[int(number) - 1]
        pull.update({k: v for k, v in body.items() if k in ("title", "body", "state")})
        return 200, self._now(pull)

    def list_milestones(self, query: dict[str, str], body: Any) -> tuple[int, Any]:
        size, page = int(query.get("per_page", 30)), int(query.get("page", 1))
        one = example("/repos/{owner}/{repo}/milestones", "get", "200")[0]
        found = [one | {"number": n, "title": t} for n, t in enumerate(self.milestones, 1)]
        return 200, found[size * (page - 1) : size * page]

    def change_issue(self, query: Any, body: Any, number: str) -> tuple[int, Any]:
        if not 0 < body["milestone"] <= len(self.milestones):
            return 422, {"message": "Validation Failed", "errors": [], "documentation_url": "x"}
        self.pulls[int(number) - 1]["under"] = self.milestones[body["milestone"] - 1]
        return 200, example("/repos/{owner}/{repo}/issues/{issue_number}", "patch", "200")

    def make_blob(self, query: Any, body: Any) -> tuple[int, Any]:
        data = base64.b64decode(body["content"], validate=True)
        made = self.put("blob", data)
        return 201, example("/repos/{owner}/{repo}/git/blobs", "post", "201") | {"sha": made}

    def make_tree(self, query: Any, body: Any) -> tuple[int, Any]:
        """By an index of its own, as git reads it: folders, links and modes are git's."""
        with tempfile.TemporaryDirectory() as folder:
            env = {**os.environ, "GIT_INDEX_FILE": f"{folder}/index", "GIT_DIR": str(self.here)}
            run = partial(subprocess.run, env=env, capture_output=True, check=True)
            run(["git", "read-tree", body["base_tree"]])
            gone = f"0 {'0' * 40}"
            lines = b"".join(
                f"{e['mode'] + ' ' + e['sha'] if e['sha'] else gone}\t{e['path']}\0".encode()
                for e in body["tree"]
            )
            run(["git", "update-index", "-z", "--index-info"], input=lines)
            made = run(["git", "write-tree"]).stdout.decode().strip()
        made = body["base_tree"] if self.spoilt == "tree" else made
        return 201, example("/repos/{owner}/{repo}/git/trees", "post", "201") | {"sha": made}

    def make_commit(self, query: Any, body: Any) -> tuple[int, Any]:
        """GitHub signs what a bot makes without naming anybody."""
        self.clock += 1
        name = self.person or "distify-bot[bot]"
        mail = f"1+{name}@users.noreply.github.com"
        message = body["message"] + ("changed\n" if self.spoilt == "message" else "")
        committer = "GitHub <noreply@github.com>" if self.spoilt != "author" else "X <x@y>"
        lines = [f"tree {body['tree']}", *(f"parent {each}" for each in body["parents"]),
                 f"author {name} <{mail}> {self.clock} +0000",
                 f"committer {committer} {self.clock} +0000"]  # fmt: skip
        signature = "" if self.person else f"{SIGNATURE}\n"
        signed = ["gpgsig " + signature.replace("\n", "\n ")] if signature else []
        raw = "\n".join([*lines, *signed, "", message]).encode()
        payload = "\n".join([*lines, "", message]) + ("." if self.spoilt == "payload" else "")
        verification = {
            "verified": bool(signature), "reason": "valid" if signature else "unsigned",
            "signature": signature or None, "payload": payload if signature else None,
            "verified_at": None,
        }  # fmt: skip
        told = {"sha": self.put("commit", raw), "message": message, "verification": verification}
        return 201, example("/repos/{owner}/{repo}/git/commits", "post", "201") | told

    @property
    def here(self) -> Path:
        return self.at or self.bare

    def put(self, kind: str, data: bytes) -> str:
        """Stores an object in the repository that is asked."""
        command = ["git", "-C", str(self.here), "hash-object", "-w", "-t", kind, "--stdin"]
        done = subprocess.run(command, input=data, capture_output=True, check=True)
        return done.stdout.decode().strip()

    def ask_reviewers(self, query: Any, body: Any, number: str) -> tuple[int, Any]:
        self.pulls[int(number) - 1]["asked"] = body
        path = "/repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers"
        return 201, example(path, "post", "201")

    def add_labels(self, query: Any, body: Any, number: str) -> tuple[int, Any]:
        self.pulls[int(number) - 1].setdefault("labelled", []).extend(body["labels"])
        one = example("/repos/{owner}/{repo}/issues/{issue_number}/labels", "post", "200")[0]
        return 200, [one | {"name": name} for name in body["labels"]]

    def add_assignees(self, query: Any, body: Any, number: str) -> tuple[int, Any]:
        self.pulls[int(number) - 1].setdefault("assigned", []).extend(body["assignees"])
        return 201, example("/repos/{owner}/{repo}/issues/{issue_number}/assignees", "post", "201")

    def list_comments(self, query: dict[str, str], body: Any, number: str) -> tuple[int, Any]:
        size, page = int(query.get("per_page", 30)), int(query.get("page", 1))
        texts = self.comments.get(int(number), [])[size * (page - 1) : size * page]
        one = example("/repos/{owner}/{repo}/issues/{issue_number}/comments", "get", "200")[0]
        return 200, [one | {"body": text} for text in texts]

    def add_comment(self, query: Any, body: Any, number: str) -> tuple[int, Any]:
        self.comments.setdefault(int(number), []).append(body["body"])
        path = "/repos/{owner}/{repo}/issues/{issue_number}/comments"
        return 201, example(path, "post", "201") | {"body": body["body"]}

    def _now(self, pull: dict[str, Any]) -> dict[str, Any]:
        """A pull request with the commit that its branch points to at the moment."""
        away = self.fork if pull["owner"] == FORK.split("/")[0] else None
        sha = self.head(pull["head"]["ref"], away) or pull["head"]["sha"]
        return pull | {"head": pull["head"] | {"sha": sha}}


def _at(bare: Path | None) -> list[str]:
    return ["--git-dir", str(bare)] if bare else []


SIGNATURE = "-----BEGIN PGP SIGNATURE-----\n\nwsFcBAABCAAQBQJ\n=abcd\n-----END PGP SIGNATURE-----"


def _invalid(why: str) -> tuple[int, Any]:
    error = {"resource": "PullRequest", "code": "custom", "message": why}
    about = "https://docs.github.com/rest/pulls/pulls#create-a-pull-request"
    return 422, {"message": "Validation Failed", "errors": [error], "documentation_url": about}


def _goes_from_to(pull: dict[str, Any], body: dict[str, Any]) -> bool:
    head, base = pull["head"], pull["base"]
    here = head["repo"]["id"] == base["repo"]["id"]
    names = (head["ref"], base["ref"])
    if ":" in body["head"]:
        return (f"{pull['owner']}:{names[0]}", names[1]) == (body["head"], body["base"])
    return bool(here and names == (body["head"], body["base"]))


ROUTES = (
    ("", "GET", GitHub.repository),
    ("/pulls", "GET", GitHub.list_pulls),
    ("/pulls", "POST", GitHub.create_pull),
    (r"/pulls/(\d+)", "PATCH", GitHub.change_pull),
    ("/git/blobs", "POST", GitHub.make_blob),
    ("/git/trees", "POST", GitHub.make_tree),
    ("/git/commits", "POST", GitHub.make_commit),
    ("/milestones", "GET", GitHub.list_milestones),
    (r"/issues/(\d+)", "PATCH", GitHub.change_issue),
    (r"/pulls/(\d+)/requested_reviewers", "POST", GitHub.ask_reviewers),
    (r"/issues/(\d+)/labels", "POST", GitHub.add_labels),
    (r"/issues/(\d+)/assignees", "POST", GitHub.add_assignees),
    (r"/issues/(\d+)/comments", "GET", GitHub.list_comments),
    (r"/issues/(\d+)/comments", "POST", GitHub.add_comment),
)


# ------------------------------------------------------------------ examples of the schemas


def example(path: str, method: str, status: str) -> Any:
    """A complete answer of that operation: every required property, with a value of its type."""
    data, _ = description()
    response = _resolved(data["paths"][path][method]["responses"][status])
    return sample(response["content"]["application/json"]["schema"])


def _resolved(node: dict[str, Any], whole: dict[str, Any] | None = None) -> dict[str, Any]:
    while "$ref" in node:
        found: Any = whole or description()[0]
        for part in node["$ref"].lstrip("#/").split("/"):
            found = found[part]
        node = found
    return node


def _fields(schema: dict[str, Any], whole: dict[str, Any]) -> set[str]:
    """The names that a body may have, whichever of several forms it has."""
    schema = _resolved(schema, whole)
    forms = [form for key in ("oneOf", "anyOf", "allOf") for form in schema.get(key, ())]
    return {*schema.get("properties", ())}.union(*(_fields(form, whole) for form in forms))


FORMATS = {
    "uri": "https://github.example/x",
    "uri-template": "https://github.example/{x}",
    "date-time": "2026-01-01T00:00:00Z",
    "email": "a@example.org",
}


def sample(schema: dict[str, Any]) -> Any:
    """A value that a schema allows."""
    schema = _resolved(schema)
    if schema.get("nullable"):
        return None
    if "enum" in schema:
        return schema["enum"][0]
    for choice in ("oneOf", "anyOf"):
        if choice in schema:
            return sample(schema[choice][0])
    if "allOf" in schema:
        merged: dict[str, Any] = {}
        for each in schema["allOf"]:
            merged |= sample(each) or {}
        return merged
    kind = schema.get("type", "object")
    if kind == "object":
        properties = schema.get("properties", {})
        return {name: sample(properties[name]) for name in schema.get("required", [])}
    if kind == "array":
        return [sample(schema["items"])]
    if kind == "string":
        return FORMATS.get(schema.get("format", ""), "x" * max(1, schema.get("minLength", 1)))
    return {"integer": 1, "number": 1.0, "boolean": False}[kind]


# ------------------------------------------------------------------ the wire


class Handler(BaseHTTPRequestHandler):
    """Reads, checks, lets the state answer, checks, writes."""

    protocol_version = "HTTP/1.1"
    github: State

    def log_message(self, *parts: Any) -> None:
        """Nothing on standard error."""

    def _serve(self) -> None:
        # Enterprise Server has its API below /api/v3.
        github, parts = self.github, urlsplit(self.path.replace("/api/v3/", "/", 1))
        data = self._body()
        github.shown += self.headers.get_all("Authorization") or []
        if self._redirected(parts.path):
            return None
        for name, bare in zip(github.names, (github.bare, github.fork)):
            if bare and parts.path.startswith(f"/{name}.git/"):
                return self._git(bare, parts._replace(path=parts.path[len(f"/{name}.git") :]), data)
        if ".git/" in parts.path:
            return self._send(404, {"message": "Not Found"}, {})
        github.seen.append((self.command, parts.path))
        query = {key: values[-1] for key, values in parse_qs(parts.query).items()}
        request = self._check_request(parts.path, query, data)
        if self.headers.get("Authorization") != f"Bearer {github.token}":
            return self._send(401, {"message": "Bad credentials"}, {})
        if github.echo:
            return self._send(403, {"message": f"No: {self.headers['Authorization']}"}, {})
        fault = self._fault(parts.path)
        body = json.loads(data) if data else None
        if fault is not None and not fault.done:
            return self._send(fault.status, fault.body or {"message": "fault"}, fault.headers)
        status, content = github.answer(self.command, parts.path, query, body)
        if fault is not None:
            return self._send(fault.status, fault.body or {"message": "fault"}, fault.headers)
        self._check_response(request, status, content)
        return self._send(status, content, {})

    do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = _serve

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        data = b""
        while size := int(self.rfile.readline(), 16):
            data += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return data

    def _git(self, bare: Path, parts: SplitResult, data: bytes) -> None:
        """The branches over HTTP, as GitHub has them: git's own program, behind the token."""
        basic = base64.b64encode(f"{self.github.user}:{self.github.token}".encode()).decode()
        given = self.headers.get_all("Authorization") or []
        if given != [f"basic {basic}"]:
            status = 400 if len(given) > 1 else 401  # GitHub refuses two of them, too
            self._send(status, {}, {"WWW-Authenticate": 'Basic realm="GitHub"'})
        elif self.github.read_only and "receive-pack" in self.path:
            self._send(403, {"message": "Write access to repository not granted."}, {})
        else:
            self._git_itself(bare, parts, data)

    def _git_itself(self, bare: Path, parts: SplitResult, data: bytes) -> None:
        done = subprocess.run(
            ["git", "-c", "http.receivepack=true", "-c", "uploadpack.allowFilter=true",
             "http-backend"],
            input=data, capture_output=True, check=True,
            env={
                **os.environ,
                "GIT_PROJECT_ROOT": str(bare),
                "GIT_HTTP_EXPORT_ALL": "1",
                "PATH_INFO": parts.path,
                "QUERY_STRING": parts.query,
                "REQUEST_METHOD": self.command,
                "REMOTE_USER": "somebody",
                "CONTENT_TYPE": self.headers.get("Content-Type", ""),
                "CONTENT_LENGTH": str(len(data)),
                "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
                "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
            },
        )  # fmt: skip
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        headers = dict(line.split(": ", 1) for line in head.decode().split("\r\n"))
        self.send_response(int(headers.pop("Status", "200").split()[0]))
        for name, value in {**headers, "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def _redirected(self, path: str) -> bool:
        for each in self.github.redirects:
            if re.search(each.path, path) and each.method in ("", self.command):
                self._send(each.status, {}, {"Location": each.there + self.path})
                return True
        return False

    def _fault(self, path: str) -> Fault | None:
        for fault in self.github.faults:
            if fault.times and fault.method == self.command and re.search(fault.path, path):
                fault.times -= 1
                return fault
        return None

    def _check_request(self, path: str, query: dict[str, str], data: bytes) -> MockRequest:
        request = MockRequest(
            "http://localhost", self.command.lower(), path, args=query, data=data or None,
            headers=dict(self.headers), content_type="application/json",
        )  # fmt: skip
        self._judge(description(self.github.described)[1].validate_request, request)
        self._know(path, query, data)
        return request

    def _know(self, path: str, query: dict[str, str], data: bytes) -> None:
        """A name that the description does not have would pass it unnoticed."""
        whole = description(self.github.described)[0]
        for template, operations in whole["paths"].items():
            if re.fullmatch(re.sub(r"\\{.*?\\}", "[^/]+", re.escape(template)), path):
                asked = operations.get(self.command.lower(), {})
                break
        else:
            return
        known = {_resolved(each, whole)["name"] for each in asked.get("parameters", ())}
        content = asked.get("requestBody", {}).get("content", {}).get("application/json", {})
        given = {*json.loads(data)} if data else set()
        unknown = {*query} - known | given - _fields(content.get("schema", {}), whole)
        if unknown:
            self.github.wrong.append(f"{self.command} {path}: unknown names {unknown}")

    def _check_response(self, request: MockRequest, status: int, content: Any) -> None:
        data = b"" if content is None else json.dumps(content).encode()
        response = MockResponse(data, status_code=status, content_type="application/json")
        self._judge(description(self.github.described)[1].validate_response, request, response)

    def _judge(self, check: Any, *what: Any) -> None:
        try:
            check(*what)
        except Exception as error:
            cause = getattr(error, "__cause__", None)
            details = [str(e.message) for e in getattr(cause, "schema_errors", [])]
            self.github.wrong.append(f"{self.command} {self.path}: {error!r} {cause} {details}")

    def _send(self, status: int, content: Any, headers: dict[str, str]) -> None:
        data = b"" if content is None else json.dumps(content).encode()
        if self.github.garbled is not None:
            data = self.github.garbled
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Type", "application/json; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


Forge = TypeVar("Forge", bound=State)


@contextmanager
def served(github: Forge) -> Iterator[Forge]:
    """Serves it on a port of its own; at the end everything must have agreed."""
    handler = type("Bound", (Handler,), {"github": github})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    github.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield github
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    assert not github.wrong, "\n".join(github.wrong)
