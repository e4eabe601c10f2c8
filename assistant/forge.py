"""GitHub's REST API as far as pull requests need it: thin, typed, on `requests`.

https://docs.github.com/rest/pulls; the tests hold every request and response against GitHub's own
OpenAPI description. A request that may have been carried out although no answer came is not sent
again before it was looked whether it was: no pull request and no comment is ever made twice.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Callable, NamedTuple
from urllib.parse import quote

import requests

TRIES = 5
PATIENCE = 300.0  # seconds that are waited for a rate limit, at most
TIMEOUT = (10, 60)  # seconds to connect, to answer
MARK = "<!-- distify -->"  # in every comment of ours
ACCEPT = "application/vnd.github+json"
VERSION = "2022-11-28"


class ForgeProblem(Exception):
    """What went wrong, and what to do about it; never holds the token."""


class Unanswered(ForgeProblem):
    """No answer, or one that says that the server failed: it may have been carried out."""


@dataclass(frozen=True)
class Access:
    """Where the API is, which repository is meant (`owner/name`), and the token."""

    api: str
    repository: str
    token: str = field(repr=False)


class Pull(NamedTuple):
    """An open pull request; `head` is the commit that its branch points to."""

    number: int
    url: str
    title: str
    body: str
    head: str
    draft: bool


class _Bearer(requests.auth.AuthBase):
    """The token as a header; given as `auth`, so that no .netrc takes its place."""

    def __init__(self, token: str) -> None:
        self._token = token

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.headers["Authorization"] = f"Bearer {self._token}"
        return request


class Forge:
    """The calls, each one thing; `wait` sleeps for so many seconds."""

    def __init__(self, access: Access, wait: Callable[[float], None] = time.sleep) -> None:
        self._access, self._wait = access, wait
        self._session = requests.Session()
        self._session.auth = _Bearer(access.token)
        self._session.headers.update({"Accept": ACCEPT, "X-GitHub-Api-Version": VERSION})

    # -- questions -----------------------------------------------------------------------------

    def default_branch(self) -> str:
        """The branch that pull requests go to where nothing else is said."""
        return str(self._ask("GET", "")["default_branch"])

    def open_pull(self, branch: str, base: str) -> Pull | None:
        """The open pull request from `branch` of this very repository into `base`."""
        owner = self._access.repository.partition("/")[0]
        wanted = {"head": f"{owner}:{branch}", "base": base, "state": "open"}
        found = self._ask("GET", "/pulls", params=wanted)
        return _pull(found[0]) if found else None

    def comments(self, number: int) -> Iterator[str]:
        """The texts of all comments on a pull request, oldest first."""
        page = 1
        while True:
            params = {"per_page": "100", "page": str(page)}
            found = self._ask("GET", f"/issues/{number}/comments", params=params)
            yield from (str(each.get("body") or "") for each in found)
            if len(found) < 100:
                return
            page += 1

    # -- changes -------------------------------------------------------------------------------

    def create(self, branch: str, base: str, title: str, body: str, draft: bool) -> Pull:
        """Opens a pull request, or finds the one that an unanswered attempt opened."""
        wanted = {"head": branch, "base": base, "title": title, "body": body, "draft": draft}
        for attempt in range(TRIES):
            try:
                return _pull(self._once("POST", "/pulls", wanted))
            except Unanswered as unanswered:
                last = unanswered
            self._wait(2.0**attempt)
            found = self.open_pull(branch, base)
            if found is not None:
                return found
        raise last

    def update(self, number: int, title: str, body: str) -> Pull:
        """Gives an open pull request its new texts."""
        return _pull(self._ask("PATCH", f"/pulls/{number}", {"title": title, "body": body}))

    def close(self, number: int) -> None:
        """Closes a pull request; its branch stays."""
        self._ask("PATCH", f"/pulls/{number}", {"state": "closed"})

    def delete_branch(self, branch: str) -> None:
        """Deletes a branch of this repository."""
        self._ask("DELETE", f"/git/refs/heads/{quote(branch)}")

    def comment(self, number: int, text: str) -> bool:
        """Says something once: False where a comment of ours says it already."""
        body = f"{text}\n\n{MARK}"
        for attempt in range(TRIES):
            if any(each == body for each in self.comments(number)):
                return attempt > 0
            try:
                self._once("POST", f"/issues/{number}/comments", {"body": body})
                return True
            except Unanswered as unanswered:
                last = unanswered
            self._wait(2.0**attempt)
        raise last

    def label(self, number: int, labels: Sequence[str]) -> None:
        """Adds labels; those that are there stay."""
        self._ask("POST", f"/issues/{number}/labels", {"labels": list(labels)})

    def assign(self, number: int, people: Sequence[str]) -> None:
        """Adds assignees."""
        self._ask("POST", f"/issues/{number}/assignees", {"assignees": list(people)})

    def request_reviews(self, number: int, people: Sequence[str], teams: Sequence[str]) -> None:
        """Asks people and teams (without the organisation's name) for a review."""
        wanted = {"reviewers": list(people), "team_reviewers": list(teams)}
        self._ask("POST", f"/pulls/{number}/requested_reviewers", wanted)

    # -- the wire ------------------------------------------------------------------------------

    def _ask(self, method: str, path: str, json: Any = None, *, params: Any = None) -> Any:
        """A request that may be sent twice without harm."""
        for attempt in range(TRIES - 1):
            try:
                return self._once(method, path, json, params)
            except Unanswered:
                self._wait(2.0**attempt)
        return self._once(method, path, json, params)

    def _once(self, method: str, path: str, json: Any = None, params: Any = None) -> Any:
        """A request that is carried out once at most; only rate limits are waited for."""
        url = f"{self._access.api.rstrip('/')}/repos/{self._access.repository}{path}"
        waited = 0.0
        while True:
            answer = self._send(method, url, json, params)
            pause = _pause(answer)
            if pause is None:
                return _content(answer, method, path)
            if waited + pause > PATIENCE:
                raise ForgeProblem(f"GitHub's rate limit is used up; try again in {pause:.0f} s")
            waited += pause
            self._wait(pause)

    def _send(self, method: str, url: str, json: Any, params: Any) -> requests.Response:
        try:
            return self._session.request(
                method, url, json=json, params=params, timeout=TIMEOUT,
                allow_redirects=method == "GET",
            )  # fmt: skip
        except requests.RequestException as error:
            cause = type(error).__name__
            raise Unanswered(f"{self._access.api} did not answer ({cause})") from None


def _pull(found: Mapping[str, Any]) -> Pull:
    return Pull(
        int(found["number"]),
        str(found["html_url"]),
        str(found["title"]),
        str(found.get("body") or ""),
        str(found["head"]["sha"]),
        bool(found.get("draft")),
    )


def _pause(answer: requests.Response) -> float | None:
    """How long a rate limit asks to wait; None where there is none in the way.

    https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api
    """
    if answer.status_code not in (403, 429):
        return None
    headers = answer.headers
    if headers.get("Retry-After", "").isdigit():
        return max(1.0, float(headers["Retry-After"]))
    if headers.get("X-RateLimit-Remaining") == "0":
        return max(1.0, float(headers.get("X-RateLimit-Reset") or 0) - time.time())
    return 60.0 if answer.status_code == 429 else None


def _content(answer: requests.Response, method: str, path: str) -> Any:
    if answer.status_code >= 500:
        raise Unanswered(f"GitHub failed ({answer.status_code}) at {method} {path or '/'}")
    if answer.status_code >= 300:
        raise ForgeProblem(_problem(answer, method, path))
    return answer.json() if answer.content else None


PERMISSIONS = {
    "/pulls": "`pull-requests: write`",
    "/issues": "`pull-requests: write`",
    "/git": "`contents: write`",
}


def _problem(answer: requests.Response, method: str, path: str) -> str:
    """One sentence of GitHub's and one that says what to do."""
    said = _message(answer)
    status = answer.status_code
    if "not permitted to create or approve pull requests" in said:
        way = (
            "allow it in the repository's settings: Actions, General, "
            '"Allow GitHub Actions to create and approve pull requests"'
        )
    elif status == 401:
        way = "the token is not valid (or has expired)"
    elif status in (403, 404) and method != "GET":
        kind = next((k for start, k in PERMISSIONS.items() if path.startswith(start)), "write")
        way = f"the token may not do this: it needs the permission {kind}, which forks don't get"
    elif status in (403, 404):
        way = "the token may not see this repository, or there is none of this name"
    else:
        way = "this is what was asked for; look at the inputs"
    return f"GitHub says {status} to {method} {path or '/'}: {said}; {way}"


def _message(answer: requests.Response) -> str:
    try:
        content = answer.json()
        details = [str(each.get("message") or each) for each in content.get("errors", [])]
        return ", ".join([str(content.get("message", "")), *details]).strip(", ")
    except (ValueError, AttributeError):
        return answer.reason or "nothing"
