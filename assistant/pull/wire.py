"""The wire to a forge's REST API: one request after the other, with patience, and never the token.

A request that may have been carried out although no answer came raises `Unanswered`: only the
caller knows whether it may be sent again.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from functools import partial
from typing import Any, Callable, TypeVar

import requests
from urllib3.exceptions import HTTPError

from .answer import Answer, Unbounded, bounded
from .manner import Manner
from .refusal import message

TRIES = 5
DAY = 86_400.0
PATIENCE = 300.0  # seconds that are waited for a rate limit, at most
PAUSE = 60.0  # seconds, where it is said only that it is too much
TIMEOUT = (10, 60)  # seconds to connect, to answer
MOST = 500  # characters of what a server says
T = TypeVar("T")
Reader = Callable[[Any], T]  # raises LookupError or the like where it is something else
FIXES = (
    (requests.exceptions.SSLError, "; REQUESTS_CA_BUNDLE names a file with its authority"),
    (requests.exceptions.ProxyError, "; look at HTTPS_PROXY and NO_PROXY"),
)


class ForgeProblem(Exception):
    """What went wrong, and what to do about it; never holds the token."""


class Unanswered(ForgeProblem):
    """No answer, or one that says that the server failed: it may have been carried out."""


class Existing(ForgeProblem):
    """What was to be made is there already."""


@dataclass(frozen=True)
class Access:
    """Where the API is, which repository is meant (`owner/name`), and the token."""

    api: str
    repository: str
    token: str = field(repr=False)


def _raw(content: Any) -> Any:
    return content


class _Bearer(requests.auth.AuthBase):
    """The token as a header; given as `auth`, so that no .netrc takes its place."""

    def __init__(self, token: str) -> None:
        self._token = token

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.headers["Authorization"] = f"Bearer {self._token}"
        return request


class Wire:
    """Requests about one repository; `wait` sleeps for so many seconds."""

    def __init__(
        self, manner: Manner, access: Access, wait: Callable[[float], None] = time.sleep
    ) -> None:
        self.wait = wait
        self._manner, self._access = manner, access
        self._session = requests.Session()
        self._session.auth = _Bearer(access.token)
        self._session.headers.update(manner.headers)
        self._session.headers["Accept-Encoding"] = "identity"

    def ask(
        self, method: str, path: str, json: Any = None, read: Reader[T] = _raw, params: Any = None
    ) -> T:
        """A request that may be sent twice without harm; `read` makes something of the answer."""
        for attempt in range(TRIES - 1):
            try:
                return self.once(method, path, json, read, params)
            except Unanswered:
                self.wait(2.0**attempt)
        return self.once(method, path, json, read, params)

    def once(
        self, method: str, path: str, json: Any = None, read: Reader[T] = _raw, params: Any = None
    ) -> T:
        """A request that is carried out once at most; only rate limits are waited for.

        Returns what `read` makes of the answer; raises ForgeProblem for one that refuses, and
        Unanswered where none came or it can't be read.
        """
        waited, least = 0.0, 1.0
        while True:
            answer = self._send(method, path, json, params)
            pause = _pause(answer)
            if pause is None:
                return self._content(answer, method, path or "/", read)
            # By a clock that goes wrong the time is over; who goes on asking gets blocked.
            pause, least = max(pause, least), least * 2
            if waited + pause > PATIENCE:
                raise ForgeProblem(
                    f"{self._manner.name}'s rate limit is used up; try again in "
                    f"{min(pause, DAY):.0f} s"
                )
            waited += pause
            self.wait(pause)

    def _send(self, method: str, path: str, json: Any, params: Any) -> Answer:
        api, home = self._access.api.rstrip("/"), self._manner.home(self._access.repository)
        request = partial(
            self._session.request, method, f"{api}{home}{path}",
            json=json, params=params, timeout=TIMEOUT, allow_redirects=method == "GET", stream=True,
        )  # fmt: skip
        try:
            return bounded(request)
        except (Unbounded, HTTPError) as error:
            cause = str(error) if isinstance(error, Unbounded) else type(error).__name__
            raise Unanswered(f"{api} gave no whole answer: {cause}") from None
        except (requests.RequestException, ValueError) as error:
            if isinstance(error, ValueError):  # nothing was sent, or not on to where it was told to
                raise ForgeProblem(
                    f"{api} is no address of an API ({self._manner.variable})"
                ) from None
            fix = next((text for kind, text in FIXES if isinstance(error, kind)), "")
            cause = type(error).__name__
            raise Unanswered(f"{api} did not answer ({cause}){fix}") from None

    def _content(self, answer: Answer, method: str, path: str, read: Reader[T]) -> T:
        status = answer.status_code
        if status >= 500:
            raise Unanswered(f"{self._manner.name} failed ({status}) at {method} {path}")
        if status >= 300:
            raise self._problem(answer, method, path)
        try:
            return read(answer.json())
        except (
            ValueError,
            LookupError,
            TypeError,
            AttributeError,
            ArithmeticError,
            RecursionError,
        ):
            raise Unanswered(
                f"{self._access.api} answers something else than the API does: look at "
                f"{self._manner.variable}, and for a proxy in between"
            ) from None

    def _problem(self, answer: Answer, method: str, path: str) -> ForgeProblem:
        """One sentence of the forge's and one that says what to do."""
        status, manner = answer.status_code, self._manner
        # The token first: half of one that stands where the text is cut is not found any more.
        said = message(answer).replace(self._access.token, "***")[:MOST]
        way = manner.advice(answer, method, path)
        text = f"{manner.name} says {status} to {method} {path}: {said}; {way}"
        existing = status == manner.existing[0] and manner.existing[1] in said
        return (Existing if existing else ForgeProblem)(text)


def _pause(answer: Answer) -> float | None:
    """How long a rate limit asks to wait; None where there is none in the way.

    https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api
    https://docs.gitlab.com/administration/settings/user_and_ip_rate_limits
    """
    if answer.status_code not in (403, 429):
        return None
    headers = answer.headers
    if "Retry-After" in headers:
        return max(1.0, _seconds(headers["Retry-After"]))
    if "0" in (headers.get("X-RateLimit-Remaining"), headers.get("RateLimit-Remaining")):
        reset = headers.get("X-RateLimit-Reset") or headers.get("RateLimit-Reset", "")
        return max(1.0, float(reset) - time.time()) if reset.isdecimal() else PAUSE
    limited = answer.status_code == 429 or "rate limit" in message(answer).lower()
    return PAUSE if limited else None


def _seconds(after: str) -> float:
    """What `Retry-After` says, which may be a date."""
    if after.strip().isdecimal():
        return float(after)
    try:
        return parsedate_to_datetime(after).timestamp() - time.time()
    except (TypeError, ValueError, OverflowError):
        return PAUSE
