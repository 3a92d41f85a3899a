"""The rules of a request and its repetitions, without any input or output: both clients go by them."""

from __future__ import annotations

import json
import math
import random
import re
import uuid
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypedDict
from urllib.parse import quote, urlencode

import httpcore
import httpx

from ._errors import (
    ApiError,
    ConflictError,
    ConnectionError,
    SvcError,
    TimeoutError,
    api_error,
    request_id_of,
)
from ._models import Answer, missing, read
from ._omit import given
from ._version import VERSION

BASE_URL = "http://127.0.0.1:8080"
MAX_RETRIES = 3
RETRY_BACKOFF_MS = 1_000
MAX_RETRY_WAIT_MS = 120_000
TIMEOUT_MS = 30_000
# What a 429 that does not say how long means.
RETRY_AFTER_MISSING_S = 60
# What timers can count.
_MS_MAX = 2**31 - 1
# Of what is held in memory, once it is decompressed.
ANSWER_BYTES_MAX = 64 * 1024 * 1024
ERROR_BYTES_MAX = 1024 * 1024
# What httpx raises where nothing, or nothing whole, comes back; below it httpcore.
FAULTS = (
    httpx.RequestError,
    httpx.InvalidURL,
    httpcore.TimeoutException,
    httpcore.NetworkError,
    httpcore.ProtocolError,
    httpcore.UnsupportedProtocol,
)
# They say where a request ends, which the library knows; with another value it would be read as two.
_FRAMING = ("content-length", "transfer-encoding", "host", "connection")

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
    headers: dict[str, str] = field(repr=False)
    content: bytes | None = field(repr=False)

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
        if org_id is not None and (not isinstance(org_id, str) or not re.fullmatch(r"[\x21-\x7e]+", org_id)):
            raise SvcError("org_id must look like org_….")
        _check_url(base_url)
        _check_retries(max_retries)
        _check_ms("retry_backoff_ms", retry_backoff_ms)
        _check_ms("max_retry_wait_ms", max_retry_wait_ms)
        _check_timeout(timeout_ms)
        self.base_url = base_url.rstrip("/")
        self.is_https = base_url[:5].lower() == "https"
        """Else no certificates need be loaded, which takes a while."""
        self.timeout_ms = timeout_ms
        self._max_retries = max_retries
        self._retry_backoff_ms = retry_backoff_ms
        self._max_retry_wait_ms = max_retry_wait_ms
        self._api_key = api_key
        self._headers = {"Authorization": f"Bearer {api_key}", "User-Agent": f"svc-python/{VERSION}"}
        if org_id is not None:
            self._headers["X-Svc-Org-Id"] = org_id

    def request(self, call: Call, accept: str, options: RequestOptions | None) -> Request:
        """Raises ``SvcError`` for what cannot be sent."""
        options = _checked(options)
        own = options.get("headers", {})
        body = given(call.body) if isinstance(call.body, Mapping) else call.body
        content = None if body is None else _json_bytes(body)
        url = f"{self.base_url}{call.path}{_query_text(call.query)}"
        try:
            httpx.URL(url)
        except httpx.InvalidURL as error:
            raise SvcError("The path or the query cannot be part of an address.") from error
        # Only now, so that no error above has the credential among its variables.
        headers = {
            **self._headers,
            "Accept": accept,
            # Bytes that are streamed come as they are.
            "Accept-Encoding": "identity" if accept == ANYTHING else "gzip",
        }
        if content is not None:
            headers["Content-Type"] = JSON
        if call.takes_key:
            # One key for all tries.
            headers["Idempotency-Key"] = options.get("idempotency_key") or str(uuid.uuid4())
        for name, value in own.items():
            same = next((known for known in headers if known.lower() == name.lower()), name)
            headers[same] = value.strip(" \t")
        return Request(call.method, url, headers, content)

    def timeout_s(self, call: Call, options: RequestOptions | None) -> float:
        """For one try. What the service is asked to wait is not counted."""
        wait_s = (call.query or {}).get("wait_s")
        is_number = isinstance(wait_s, (int, float)) and 0 <= wait_s <= _MS_MAX / 1_000
        timeout_ms = (options or {}).get("timeout_ms", self.timeout_ms)
        return timeout_ms / 1_000 + (float(wait_s) if is_number else 0)  # type: ignore[arg-type]

    def failure_of(self, reply: Reply) -> SvcError | None:
        """``None``: it is a success. Redirects are not followed: they would take the credential elsewhere."""
        if 200 <= reply.status < 300:
            return None
        if reply.status == 101:
            return ConnectionError("The service could not be reached: what answered wants another protocol.")
        if 300 <= reply.status < 400 and "location" in reply.headers:
            return ApiError(
                "The answer is a redirect, which is not followed. Is base_url right?",
                status=reply.status,
                request_id=request_id_of(reply.headers, self._api_key),
            )
        return api_error(reply.status, reply.headers, reply.body, self._api_key)

    def tries(self, request: Request, options: RequestOptions | None) -> Tries:
        return Tries(
            request,
            (options or {}).get("max_retries", self._max_retries),
            self._retry_backoff_ms,
            self._max_retry_wait_ms,
        )


def _check_retries(number: object) -> None:
    if not isinstance(number, int) or isinstance(number, bool) or number < 0:
        raise SvcError("max_retries must be a whole number, 0 or more.")


def _check_ms(name: str, number: object) -> None:
    is_number = isinstance(number, (int, float)) and not isinstance(number, bool)
    if not is_number or not 0 <= number <= _MS_MAX:  # type: ignore[operator]
        raise SvcError(f"{name} must be a number of milliseconds, from 0 to {_MS_MAX}.")


def _check_timeout(number: object) -> None:
    _check_ms("timeout_ms", number)
    if number == 0:
        raise SvcError("timeout_ms must be more than 0.")


def _check_url(base_url: str) -> None:
    if not isinstance(base_url, str) or re.match(r"(?i:https?)://[^/?#]", base_url) is None:
        raise SvcError("base_url must begin with http:// or https://.")
    if re.search(r"[^\x21-\x7e]", base_url) is not None:
        raise SvcError("base_url has characters that no address can have.")
    try:
        url = httpx.URL(base_url)
    except httpx.InvalidURL as error:
        raise SvcError("base_url is not valid.") from error
    if not url.host:
        raise SvcError("base_url names no host.")
    if "@" in base_url or "?" in base_url or "#" in base_url:
        raise SvcError("base_url has a user, a query or a fragment; it may have a path at most.")


def _checked(options: RequestOptions | None) -> RequestOptions:
    """Raises ``SvcError`` for what cannot be sent or meant."""
    if options is None:
        return {}
    unknown = set(options) - set(RequestOptions.__annotations__)
    if unknown:
        raise SvcError(f"There is no option {', '.join(sorted(map(str, unknown)))}.")
    if "timeout_ms" in options:
        _check_timeout(options["timeout_ms"])
    if "max_retries" in options:
        _check_retries(options["max_retries"])
    key: object = options.get("idempotency_key", "absent")
    if not isinstance(key, str) or re.fullmatch(r"[\x21-\x7e]{1,255}", key) is None:
        raise SvcError("idempotency_key must have 1 to 255 visible ASCII characters.")
    headers: object = options.get("headers", {})
    if not isinstance(headers, Mapping):
        raise SvcError("headers must be a mapping of names to texts.")
    for name, value in headers.items():
        if not isinstance(name, str) or re.fullmatch(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", name) is None:
            raise SvcError(f"{name!r} is not the name of a header.")
        if name.lower() in _FRAMING:
            raise SvcError(f"The header {name} is not for a call to set.")
        if not isinstance(value, str) or re.fullmatch(r"[\t\x20-\x7e]*", value) is None:
            raise SvcError(f"The header {name} has characters that no header can have.")
    return options


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
        backoff_ms = self._backoff_ms * 2.0 ** min(self._failed, 60)
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


class Body:
    """What is read of an answer, decompressed, as long as it is not too much."""

    def __init__(self, response: httpx.Response) -> None:
        self._is_success = response.is_success
        self._bytes_max = ANSWER_BYTES_MAX if response.is_success else ERROR_BYTES_MAX
        self._chunks: list[bytes] = []
        self._size = 0
        encoding = response.headers.get("content-encoding", "identity").strip().lower()
        self._inflater = zlib.decompressobj(zlib.MAX_WBITS | 16) if encoding in ("gzip", "x-gzip") else None
        if self._inflater is None and encoding not in ("", "identity"):
            raise SvcError(f"The service answered in the encoding {encoding!r}, which was not asked for.")

    def add(self, raw: bytes) -> None:
        """As it came."""
        if self._inflater is None:
            self._keep(raw)
            return
        try:
            # One more than may be, so that what is too much is seen and no more is made of it.
            self._keep(self._inflater.decompress(raw, self._bytes_max - self._size + 1))
        except zlib.error as error:
            raise ConnectionError("The service broke off: its answer cannot be decompressed.") from error

    def whole(self) -> bytes:
        """Once all has come."""
        if self._inflater is not None and self._size > 0 and not self._inflater.eof:
            raise ConnectionError("The service broke off: its answer cannot be decompressed.")
        return b"".join(self._chunks)

    def _keep(self, chunk: bytes) -> None:
        self._size += len(chunk)
        if self._size > self._bytes_max:
            what = "an answer" if self._is_success else "an error"
            raise SvcError(
                f"The service answered with {what} of more than {self._bytes_max} bytes. Is base_url right?"
            )
        self._chunks.append(chunk)


def fault_of(error: Exception) -> SvcError:
    """What the http library raised, as an error of this one. It keeps why, but not the variables of there."""
    seen: BaseException | None = error
    while seen is not None:
        # They have the credential: whoever prints the variables of each frame would print it.
        seen.__traceback__ = None
        seen = seen.__cause__ or seen.__context__
    if isinstance(error, (httpx.TimeoutException, httpcore.TimeoutException)):
        return TimeoutError("The service did not answer in time.")
    if isinstance(error, (httpx.UnsupportedProtocol, httpx.InvalidURL, httpcore.UnsupportedProtocol)):
        return SvcError("The address of the service is not valid.")
    if isinstance(error, (httpx.LocalProtocolError, httpcore.LocalProtocolError)):
        return SvcError(f"The request cannot be sent: {error}.")
    return ConnectionError(f"The service could not be reached: {str(error) or type(error).__name__}.")


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
    if not isinstance(method, str) or re.fullmatch(r"[A-Za-z]+", method) is None:
        raise SvcError(f"{method!r} is not a method of HTTP.")
    if not isinstance(path, str) or not path.startswith("/") or "#" in path:
        raise SvcError("path must begin with a slash, and has no fragment.")
    takes_key = "idempotency_key" in (options or {})
    return Call(method.upper(), path, query=query, body=body, takes_key=takes_key)


def model_of(kind: type[Answer], body: bytes) -> Answer:
    """Raises ``SvcError`` for what is not a JSON object, or lacks what every such answer has."""
    value = object_of(body)
    lacking = missing(kind, value)
    if lacking:
        # Taken for an answer, nothing would be what it says: neither blocked nor flagged.
        raise SvcError(
            f"The service answered with success, but not with a {kind.__name__}: {', '.join(lacking[:3])} "
            "missing. Is base_url right?"
        )
    return read(kind, value)


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
    if not isinstance(value, str) or value in ("", ".", ".."):
        raise SvcError(f"{value!r} cannot be part of a path.")
    try:
        return quote(value, safe="")
    except UnicodeEncodeError:
        raise SvcError(f"{value!r} cannot be part of a path.") from None


def segments(value: str) -> str:
    """A value that keeps its slashes."""
    return "/".join(segment(part) for part in (value.split("/") if isinstance(value, str) else [value]))


def _query_text(query: Mapping[str, object] | None) -> str:
    values = {name: value for name, value in given(query or {}).items() if value is not None}
    if not values:
        return ""
    try:
        return f"?{urlencode({name: _query_value(name, value) for name, value in values.items()})}"
    except UnicodeEncodeError:
        raise SvcError("The query has half of a surrogate pair.") from None


def _query_value(name: str, value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str) or (isinstance(value, (int, float)) and math.isfinite(value)):
        return str(value)
    raise SvcError(f"{name} cannot be part of a query: it is no text, number or truth value.")


def _json_bytes(value: object) -> bytes:
    def written(ensure_ascii: bool) -> bytes:
        return json.dumps(
            value, ensure_ascii=ensure_ascii, allow_nan=False, separators=(",", ":"), default=_plain
        ).encode()

    try:
        try:
            return written(False)
        except UnicodeEncodeError:
            # Half of a surrogate pair: JSON can say it escaped.
            return written(True)
    except (ValueError, TypeError, RecursionError) as error:
        raise SvcError(f"The body cannot be written as JSON: {error}.") from error


def _plain(value: object) -> object:
    """Sequences that are no lists, mappings that are no dictionaries, and answers that are sent back."""
    raw = getattr(value, "raw", value)
    if isinstance(raw, Mapping):
        return dict(raw)
    # Bytes are a sequence of numbers, which nobody means.
    if isinstance(raw, Sequence) and not isinstance(raw, (bytes, bytearray, memoryview)):
        return list(raw)
    raise SvcError(f"A {type(value).__name__} is not JSON.")
