"""
Checks that a delivery came from the service, unchanged, and now. No network; the standard library alone.

>>> event = webhooks.verify(request.body, request.headers, secret=secret)
"""

from __future__ import annotations

import hashlib
import hmac
import json
import math
import re
import time
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NoReturn

from ._encoding import base64_bytes
from ._errors import SvcError
from ._generated.types import Event
from ._models import read

__all__ = ["WebhookRule", "WebhookVerificationError", "verify", "verify_signature_256"]

WebhookRule = Literal[
    "secret_malformed",
    "signature_missing",
    "signature_malformed",
    "timestamp_malformed",
    "timestamp_too_old",
    "timestamp_too_new",
    "signature_mismatch",
    "body_malformed",
]
"""The rules that a delivery can break."""

_PREFIX = "whsec_"
_SECRET_BYTES_MIN = 16
_MAC_BYTES = 32
# A rotation needs two. Whoever forges need not be given more work to do.
_SIGNATURES_MAX = 20


class WebhookVerificationError(SvcError):
    """Why a delivery is refused. ``rule`` is stable, for programs; the message is for people. Answer 401."""

    def __init__(self, rule: WebhookRule, message: str) -> None:
        super().__init__(message)
        self.rule: WebhookRule = rule

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.rule, str(self))


def verify(
    body: bytes | str,
    headers: Mapping[str, str],
    *,
    secret: str | Sequence[str],
    tolerance_s: float = 300,
    now_s: float | None = None,
) -> Event:
    """
    Checks a delivery by Standard Webhooks 1.0 (``webhook-id``, ``webhook-timestamp``, ``webhook-signature``),
    which is safe against replays that are older than the tolerance, and returns the event. Keep the event's
    ``id``: a delivery may come more than once.

    Args:
        body: The body as it came, not parsed and written anew.
        headers: Of the request, in whatever case.
        secret: ``whsec_…``; during a rotation both.
        tolerance_s: How far the time of a delivery may be from now.
        now_s: Unix seconds. Default: now.

    Raises:
        WebhookVerificationError: Its ``rule`` says which check failed.
        SvcError: For a tolerance or a time that is none, and for a body that is not the raw one.
    """
    now_s = time.time() if now_s is None else now_s
    for name, number in (("tolerance_s", tolerance_s), ("now_s", now_s)):
        if not isinstance(number, (int, float)) or not math.isfinite(number) or number < 0:
            # Compared with what is no number, everything would be new enough.
            raise SvcError(f"{name} must be a number of seconds, 0 or more.")
    content = _bytes(body)
    sent_id = _header(headers, "webhook-id")
    timestamp = _header(headers, "webhook-timestamp")
    signatures = _header(headers, "webhook-signature")
    if sent_id is None or timestamp is None or signatures is None:
        _refuse(
            "signature_missing", "The headers webhook-id, webhook-timestamp and webhook-signature are needed."
        )
    keys = [_key(one) for one in _secrets(secret)]
    _check_time(timestamp, tolerance_s, now_s)
    # Signatures of versions to come stand beside those that are known.
    known = [one[len("v1,") :] for one in signatures.split(" ") if one.startswith("v1,")]
    given = [base64_bytes(one) for one in known[:_SIGNATURES_MAX]]
    macs = [mac for mac in given if mac is not None and len(mac) == _MAC_BYTES]
    if not macs:
        _refuse("signature_malformed", "webhook-signature must be v1, and the base64 of 32 bytes.")
    _require_match(keys, f"{sent_id}.{timestamp}.".encode("utf-8", "surrogatepass") + content, macs)
    return _event(content)


def verify_signature_256(
    body: bytes | str, headers: Mapping[str, str], *, secret: str | Sequence[str]
) -> Event:
    """
    Checks ``X-Svc-Signature-256``, as verifiers of GitHub's webhooks do, and returns the event. It does not
    cover the time, so whoever has seen a delivery can send it again: prefer ``verify``.

    Args:
        body: The body as it came, not parsed and written anew.
        headers: Of the request, in whatever case.
        secret: ``whsec_…``; during a rotation both.

    Raises:
        WebhookVerificationError: Its ``rule`` says which check failed.
        SvcError: For a body that is not the raw one.
    """
    content = _bytes(body)
    names = ("x-svc-signature-256", "x-svc-signature-256-next")
    given = [value for value in (_header(headers, name) for name in names) if value is not None]
    if not given:
        _refuse("signature_missing", "The header X-Svc-Signature-256 is needed.")
    secrets = _secrets(secret)
    for one in secrets:
        # The key is the secret as text; one that holds no key was not copied whole.
        _key(one)
    macs = [bytes.fromhex(one[7:]) for one in given if re.fullmatch(r"sha256=[0-9a-f]{64}", one)]
    if not macs:
        _refuse("signature_malformed", "X-Svc-Signature-256 must be sha256= and 64 hexadecimal digits.")
    _require_match([one.encode() for one in secrets], content, macs)
    return _event(content)


def _refuse(rule: WebhookRule, message: str) -> NoReturn:
    raise WebhookVerificationError(rule, message)


def _check_time(timestamp: str, tolerance_s: float, now_s: float) -> None:
    """In whole seconds, as the timestamp is."""
    if re.fullmatch(r"[0-9]{1,12}", timestamp) is None:
        _refuse("timestamp_malformed", "webhook-timestamp must be a Unix time in seconds.")
    age_s = math.floor(now_s) - int(timestamp)
    if age_s > tolerance_s:
        _refuse("timestamp_too_old", f"The delivery is {age_s} s old; {tolerance_s} s are accepted.")
    if -age_s > tolerance_s:
        _refuse(
            "timestamp_too_new",
            f"The delivery is from {-age_s} s in the future. Is the clock of this machine right?",
        )


def _require_match(keys: Sequence[bytes], signed: bytes, macs: Sequence[bytes]) -> None:
    for key in keys:
        expected = hmac.new(key, signed, hashlib.sha256).digest()
        for mac in macs:
            if hmac.compare_digest(expected, mac):
                return
    _refuse(
        "signature_mismatch",
        "No signature is of this body under this secret. Is the body the raw one, and the secret that of this"
        " webhook?",
    )


def _secrets(secret: str | Sequence[str]) -> list[str]:
    is_many = isinstance(secret, Sequence) and not isinstance(secret, (str, bytes, bytearray))
    secrets = [secret] if isinstance(secret, str) else list(secret) if is_many else []
    if not secrets:
        _refuse("secret_malformed", "A secret is needed. It is shown once, when the webhook is made.")
    return secrets


def _key(secret: str) -> bytes:
    """The bytes behind ``whsec_``."""
    is_prefixed = isinstance(secret, str) and secret.startswith(_PREFIX)
    key = base64_bytes(secret[len(_PREFIX) :]) if is_prefixed else None
    if key is None or len(key) < _SECRET_BYTES_MIN:
        _refuse(
            "secret_malformed",
            "A secret is whsec_ and the base64 of a key. It is shown once, when the webhook is made.",
        )
    return key


def _event(body: bytes) -> Event:
    try:
        value = json.loads(body.decode("utf-8"), parse_constant=_no_json)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        _refuse("body_malformed", "The body is signed, but is not the JSON of an event.")
    return read(Event, value)


def _no_json(name: str) -> NoReturn:
    raise ValueError(name)


def _header(headers: Mapping[str, str], name: str) -> str | None:
    """``None``: it is missing, or says nothing. Frameworks have lists and bytes, too."""
    if not isinstance(headers, Mapping):
        return None
    value: object = next((value for key, value in headers.items() if _text(key).lower() == name), None)
    if isinstance(value, (list, tuple)):
        value = value[0] if value else None
    return _text(value) or None


def _text(value: object) -> str:
    if isinstance(value, bytes):
        return value.decode("latin-1")
    return value if isinstance(value, str) else ""


def _bytes(body: bytes | str) -> bytes:
    if isinstance(body, str):
        return body.encode("utf-8", "surrogatepass")
    if isinstance(body, (bytes, bytearray, memoryview)):
        return bytes(body)
    raise SvcError(f"The body must be the raw one, as bytes or text; it is a {type(body).__name__}.")
