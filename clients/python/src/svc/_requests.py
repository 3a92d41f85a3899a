"""The rules of a request and its repetitions, without any input or output: both clients go by them."""

from __future__ import annotations

import json
import random
import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypedDict
from urllib.parse import quote, urlencode

import httpx

from ._errors import ApiError, ConflictError, ConnectionError, SvcError, TimeoutError, api_error
from ._models import Answer, read
from ._omit import given
from ._version import VERSION

BASE_URL = "http://127.0.0.1:8080"
MAX_RETRIES = 3
RETRY_BACKOFF_MS = 1_000
MAX_RETRY_WAIT_MS = 120_000
TIMEOUT_MS = 30_000
# What a 429 that does not say how long means.
RETRY_AFTER_MISSING_S = 60

JSON = "application/json"
TEXT = "text/plain, */*;q=0.1"
ANYTHING = "*/*"
JSON_OR_ANYTHING = "application/json, */*;q=0.1"


class RequestOptions(TypedDict, total=False):
    """How one call differs from the others of its client."""

    idempotency_key: str
    """Makes a POST safe to send again also after this process has ended. Default: a random one."""
    timeout_ms: float
    """For one try."""
    max_retries: int
    """How often the request is sent again."""
    headers: Mapping[str, str]
    """More headers, such as ``If-Match``."""


@dataclass(frozen=True, slots=True)
class Call:
    """What a method of a resource asks for."""

    method: str
    path: str
    query: Mapping[str, object] | None = None
    body: Any = None
    takes_key: bool = False
    """The operation honours ``Idempotency-Key``."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is sent, the same at each try."""

    method: str
    url: str
    headers: dict[str, str]
    content: bytes | None

    @property
    def has_key(self) -> bool:
        return any(name.lower() == "idempotency-key" for name in self.headers)


class Rules:
    """Builds requests for one credential, and decides what follows a try that failed."""

    def __init__(
        self,
        *,
        api_key: str,
        org_id: str | None,
        base_url: str,
        max_retries: int,
        retry_backoff_ms: float,
        max_retry_wait_ms: float,
        timeout_ms: float,
    ) -> None:
        # Of a key that cannot be sent, http libraries tell with the key in the message.
        if not isinstance(api_key, str) or re.fullmatch(r"[\x21-\x7e]+", api_key) is None:
            raise SvcError("api_key is missing, or is not the text of a key.")
        if org_id is not None and re.fullmatch(r"[\x21-\x7e]+", org_id) is None:
            raise SvcError("org_id must look like org_….")
        _check_url(base_url)
        for name, number in (
            ("max_retries", max_retries),
            ("retry_backoff_ms", retry_backoff_ms),
            ("max_retry_wait_ms", max_retry_wait_ms),
        ):
            if not number >= 0:
                raise SvcError(f"{name} must be 0 or more.")
        if not timeout_ms > 0:
            raise SvcError("timeout_ms must be more than 0.")
        self.base_url = base_url.rstrip("/")
        self.is_https = base_url[:5].lower() == "https"
        """Else no certificates need be loaded, which takes a while."""
        self.timeout_ms = timeout_ms
        self._max_retries = max_retries
        self._retry_backoff_ms = retry_backoff_ms
        self._max_retry_wait_ms = max_retry_wait_ms
        self._headers = {"Authorization": f"Bearer {api_key}", "User-Agent": f"svc-python/{VERSION}"}
        if org_id is not None:
            self._headers["X-Svc-Org-Id"] = org_id

    def request(self, call: Call, accept: str, options: RequestOptions | None) -> Request:
        """Raises ``SvcError`` for what cannot be sent."""
        options = options or {}
        headers = {**self._headers, "Accept": accept}
        if call.body is not None:
            headers["Content-Type"] = JSON
        if call.takes_key:
            # One key for all tries.
            headers["Idempotency-Key"] = _checked_key(options.get("idempotency_key")) or str(uuid.uuid4())
        for name, value in options.get("headers", {}).items():
            same = next((known for known in headers if known.lower() == name.lower()), name)
            headers[same] = value
        for name, value in headers.items():
            if re.fullmatch(r"[\t\x20-\x7e]*", value) is None:
                raise SvcError(f"The header {name} has characters that no header can have.")
        body = given(call.body) if isinstance(call.body, Mapping) else call.body
        content = None if body is None else _json_bytes(body)
        return Request(call.method, f"{self.base_url}{call.path}{_query_text(call.query)}", headers, content)

    def timeout_s(self, options: RequestOptions | None) -> float:
        """For one try."""
        return (options or {}).get("timeout_ms", self.timeout_ms) / 1_000

    def tries(self, request: Request, options: RequestOptions | None) -> Tries:
        return Tries(
            request,
            (options or {}).get("max_retries", self._max_retries),
            self._retry_backoff_ms,
            self._max_retry_wait_ms,
        )


def _check_url(base_url: str) -> None:
    if re.match(r"(?i:https?)://[^/]", base_url) is None:
        raise SvcError("base_url must begin with http:// or https://.")
    try:
        url = httpx.URL(base_url)
    except httpx.InvalidURL as error:
        raise SvcError("base_url is not valid.") from error
    if url.userinfo or url.query or url.fragment:
        raise SvcError("base_url has a user, a query or a fragment; it may have a path at most.")


def _checked_key(key: str | None) -> str | None:
    if key is not None and re.fullmatch(r"[\x21-\x7e]{1,255}", key) is None:
        raise SvcError("idempotency_key must have 1 to 255 visible ASCII characters.")
    return key


class Tries:
    """The tries of one call."""

    def __init__(self, request: Request, retries: int, backoff_ms: float, max_wait_ms: float) -> None:
        # What may have been done must not be done twice: without a key a POST is repeated only where it was
        # refused.
        self._is_repeatable = request.method != "POST" or request.has_key
        self._has_key = request.has_key
        self._retries = retries
        self._backoff_ms = backoff_ms
        self._max_wait_ms = max_wait_ms
        self._failed = 0
        self._was_cut_off = False

    def wait_ms_after(self, failure: SvcError) -> float:
        """How long to wait before the next try. Raises ``failure`` where there is to be none."""
        wait_ms = self._wait_ms(failure)
        self._was_cut_off = self._was_cut_off or isinstance(failure, ConnectionError)
        if wait_ms is None or self._failed >= self._retries or wait_ms > self._max_wait_ms:
            raise failure
        self._failed += 1
        return wait_ms

    def _wait_ms(self, failure: SvcError) -> float | None:
        backoff_ms: float = self._backoff_ms * 2**self._failed
        if isinstance(failure, ApiError) and failure.status == 429:
            asked_s = RETRY_AFTER_MISSING_S if failure.retry_after is None else failure.retry_after
            return max(asked_s * 1_000, backoff_ms)
        if not self._is_repeatable or not self._is_passing(failure):
            return None
        # Between half and all of it, so that clients that failed together do not come back together.
        return backoff_ms * random.uniform(0.5, 1)

    def _is_passing(self, failure: SvcError) -> bool:
        if isinstance(failure, ApiError) and failure.status < 500:
            # An earlier try may still be at work on the other side, and hold the key.
            return isinstance(failure, ConflictError) and self._has_key and self._was_cut_off
        return isinstance(failure, (ApiError, ConnectionError))


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back, read to its end."""

    status: int
    headers: httpx.Headers
    body: bytes


def failure_of(reply: Reply) -> SvcError | None:
    """``None``: it is a success. Redirects are not followed: they would take the credential elsewhere."""
    if 200 <= reply.status < 300:
        return None
    if 300 <= reply.status < 400 and "location" in reply.headers:
        return ApiError(
            "The answer is a redirect, which is not followed. Is base_url right?", status=reply.status
        )
    return api_error(reply.status, reply.headers, reply.body)


def fault_of(error: Exception) -> SvcError:
    """What the http library raised, as an error of this one."""
    if isinstance(error, httpx.TimeoutException):
        return TimeoutError("The service did not answer in time.")
    if isinstance(error, (httpx.UnsupportedProtocol, httpx.InvalidURL)):
        return SvcError("The address of the service is not valid.")
    return ConnectionError(f"The service could not be reached: {type(error).__name__}.")


def any_of(reply: Reply) -> Any:
    """Parsed where it is said to be JSON, else as text; ``None`` where there is nothing."""
    if re.match(r"application/(?:[\w.-]+\+)?json\b", reply.headers.get("content-type", ""), re.IGNORECASE):
        return _parsed(reply.body)
    return reply.body.decode("utf-8", "replace") or None


def free_call(
    method: str,
    path: str,
    query: Mapping[str, object] | None,
    body: Any,
    options: RequestOptions | None,
) -> Call:
    """Of an operation that has no method."""
    if not path.startswith("/"):
        raise SvcError("path must begin with a slash.")
    takes_key = "idempotency_key" in (options or {})
    return Call(method.upper(), path, query=query, body=body, takes_key=takes_key)


def model_of(kind: type[Answer], body: bytes) -> Answer:
    """Raises ``SvcError`` for what is not a JSON object."""
    return read(kind, object_of(body))


def object_of(body: bytes) -> dict[str, Any]:
    """Raises ``SvcError`` for what is not a JSON object."""
    value = _parsed(body)
    if not isinstance(value, dict):
        raise SvcError("The service answered with success, but not with a JSON object. Is base_url right?")
    return value


def _parsed(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as error:
        raise SvcError("The service answered with success, but not with JSON. Is base_url right?") from error


def segment(value: str) -> str:
    """A value as one segment of a path. Raises ``SvcError`` for one that would lead to another path."""
    if value in ("", ".", ".."):
        raise SvcError(f"{value!r} cannot be part of a path.")
    return quote(value, safe="")


def segments(value: str) -> str:
    """A value that keeps its slashes."""
    return "/".join(segment(part) for part in value.split("/"))


def _query_text(query: Mapping[str, object] | None) -> str:
    values = {name: value for name, value in given(query or {}).items() if value is not None}
    if not values:
        return ""
    return f"?{urlencode({name: _query_value(value) for name, value in values.items()})}"


def _query_value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _json_bytes(value: object) -> bytes:
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_plain)
        return text.encode()
    except UnicodeEncodeError:
        # Half of a surrogate pair: JSON can say it escaped.
        return json.dumps(value, allow_nan=False, separators=(",", ":"), default=_plain).encode()


def _plain(value: object) -> object:
    """Sequences that are no lists, mappings that are no dictionaries, and answers that are sent back."""
    raw = getattr(value, "raw", value)
    if isinstance(raw, Mapping):
        return dict(raw)
    try:
        return list(raw)  # type: ignore[call-overload]
    except TypeError:
        raise SvcError(f"A {type(value).__name__} is not JSON.") from None
