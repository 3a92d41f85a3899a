"""What can go wrong, as classes: ``except svc.RateLimitError as error: …``."""

from __future__ import annotations

import functools
import json
import math
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any


class SvcError(Exception):
    """Whatever this library raises of its own."""


@dataclass(frozen=True, slots=True)
class ErrorDetail:
    """One place in a request that is wrong."""

    pointer: str
    """JSON Pointer: ``/events/0``; of a query, ``/query/limit``."""
    message: str


class ApiError(SvcError):
    """The service refused the request, or failed."""

    def __init__(
        self,
        message: str,
        *,
        status: int,
        code: str = "unknown",
        request_id: str | None = None,
        details: tuple[ErrorDetail, ...] = (),
        retry_after: int | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        """The HTTP status."""
        self.code = code
        """Stable, for programs: ``invalid_request``; ``unknown`` when something in between answered."""
        self.request_id = request_id
        """To name when you ask for help; ``None`` when something in between answered."""
        self.details = details
        """The places in the request that are wrong."""
        self.retry_after = retry_after
        """Seconds after which the same request may succeed; ``None``: the service did not say."""

    def __reduce__(self) -> tuple[Any, ...]:
        members = ("status", "code", "request_id", "details", "retry_after")
        made = functools.partial(type(self), **{name: getattr(self, name) for name in members})
        return made, (self.message,)

    def __str__(self) -> str:
        places = "".join(f"; {detail.pointer}: {detail.message}" for detail in self.details)
        request = f" (request {self.request_id})" if self.request_id else ""
        return f"{self.status} {self.code}: {self.message}{places}{request}"


class InvalidRequestError(ApiError):
    """400 ``invalid_request``: ``details`` names each place."""


class UnauthorizedError(ApiError):
    """401 ``unauthorized``: no credential, or one that does not hold."""


class TokenExpiredError(ApiError):
    """401 ``token_expired``: refresh the session token, or sign in again."""


class InsufficientPermissionsError(ApiError):
    """403 ``insufficient_permissions``: the message names the scope."""


class IpNotAllowedError(ApiError):
    """403 ``ip_not_allowed``: this machine's address is outside the allowlist."""


class NotFoundError(ApiError):
    """404 ``not_found``: nothing of that name in this organization."""


class ConflictError(ApiError):
    """409 ``conflict``: the state of things does not allow it."""


class PreconditionFailedError(ApiError):
    """412 ``precondition_failed``: it was changed since it was read."""


class PayloadTooLargeError(ApiError):
    """413 ``payload_too_large``."""


class IdempotencyMismatchError(ApiError):
    """422 ``idempotency_mismatch``: the key was used with another body."""


class RateLimitError(ApiError):
    """429 ``rate_limited``, after all retries, or with a wait beyond ``max_retry_wait_ms``."""


class ServerError(ApiError):
    """5xx, after all retries."""


class ConnectionError(SvcError):
    """The service was not reached, or broke off, after all retries; message and ``__cause__`` have why."""


class TimeoutError(ConnectionError):
    """It did not answer within ``timeout_ms``, after all retries."""


_BY_CODE: dict[str, type[ApiError]] = {
    "invalid_request": InvalidRequestError,
    "unauthorized": UnauthorizedError,
    "token_expired": TokenExpiredError,
    "insufficient_permissions": InsufficientPermissionsError,
    "ip_not_allowed": IpNotAllowedError,
    "not_found": NotFoundError,
    "conflict": ConflictError,
    "precondition_failed": PreconditionFailedError,
    "payload_too_large": PayloadTooLargeError,
    "idempotency_mismatch": IdempotencyMismatchError,
    "rate_limited": RateLimitError,
}


# The one form that is still written (RFC 9110 §5.6.7): others would take ``1.5`` for a date, too.
_HTTP_DATE = re.compile(r"[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT")


def api_error(status: int, headers: Mapping[str, str], body: bytes, secret: str = "") -> ApiError:
    """
    The error of an answer. ``headers``: whatever their case; ``body``: as it was read, JSON or not;
    ``secret``: what must not be told, even if the other side does.
    """
    error = _without(secret, _error_members(body))
    code = _text(error.get("code")) or "unknown"
    kind = _BY_CODE.get(code)
    if kind is None:
        kind = RateLimitError if status == 429 else ServerError if status >= 500 else ApiError
    return kind(
        _text(error.get("message")) or f"The service answered with status {status}.",
        status=status,
        code=code,
        request_id=_text(error.get("request_id")) or request_id_of(headers, secret),
        details=_details(error.get("details")),
        retry_after=retry_after(headers.get("retry-after")),
    )


def request_id_of(headers: Mapping[str, str], secret: str = "") -> str | None:
    """``None`` where there is none."""
    return _text(_without(secret, headers.get("x-svc-request-id")))


def retry_after(value: str | None, now: float | None = None) -> int | None:
    """``Retry-After`` in seconds, also where a date was given (RFC 9110 §10.2.3); ``None``: there is none."""
    text = (value or "").strip()
    if text.isascii() and text.isdigit():
        return int(text) if len(text) <= 15 else 10**15
    if _HTTP_DATE.fullmatch(text) is None:
        return None
    try:
        at = parsedate_to_datetime(text)
    except ValueError:
        return None
    seconds = at.timestamp() - (time.time() if now is None else now)
    return max(0, math.ceil(seconds))


def _error_members(body: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    error = answer.get("error") if isinstance(answer, dict) else None
    return error if isinstance(error, dict) else {}


def _without(secret: str, value: Any) -> Any:
    """The same JSON, with ``svc_…`` wherever a text has the secret."""
    if isinstance(value, str):
        return value.replace(secret, "svc_…") if secret else value
    if isinstance(value, list):
        return [_without(secret, item) for item in value]
    if isinstance(value, dict):
        return {name: _without(secret, item) for name, item in value.items()}
    return value


def _details(value: object) -> tuple[ErrorDetail, ...]:
    if not isinstance(value, list):
        return ()
    return tuple(
        ErrorDetail(pointer=detail["pointer"], message=detail["message"])
        for detail in value
        if isinstance(detail, dict)
        and isinstance(detail.get("pointer"), str)
        and isinstance(detail.get("message"), str)
    )


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
