"""
Client library of svc: assess AI inferences, guard streams, verify webhooks, keep an eye on the audit trail.

>>> from svc import Svc
>>> with Svc(api_key="svc_live_…") as client:
...     client.assess(input="What is the capital of France?").outcome
'allowed'
"""

from . import checkpoints, params, types, webhooks
from ._client import AsyncSvc, Svc
from ._errors import (
    ApiError,
    ConflictError,
    ConnectionError,
    ErrorDetail,
    IdempotencyMismatchError,
    InsufficientPermissionsError,
    InvalidRequestError,
    IpNotAllowedError,
    NotFoundError,
    PayloadTooLargeError,
    PreconditionFailedError,
    RateLimitError,
    ServerError,
    SvcError,
    TimeoutError,
    TokenExpiredError,
    UnauthorizedError,
)
from ._guard_stream import AsyncGuardedStream, GuardedStream
from ._models import Model
from ._omit import Omit, omit
from ._pages import AsyncPages, Page, Pages
from ._requests import RequestOptions
from ._transport import AsyncDownload, Download
from ._version import VERSION as __version__
from .checkpoints import CheckpointError, CheckpointMemory
from .webhooks import WebhookVerificationError

__all__ = [
    "ApiError",
    "AsyncDownload",
    "AsyncGuardedStream",
    "AsyncPages",
    "AsyncSvc",
    "CheckpointError",
    "CheckpointMemory",
    "ConflictError",
    "ConnectionError",
    "Download",
    "ErrorDetail",
    "GuardedStream",
    "IdempotencyMismatchError",
    "InsufficientPermissionsError",
    "InvalidRequestError",
    "IpNotAllowedError",
    "Model",
    "NotFoundError",
    "Omit",
    "Page",
    "Pages",
    "PayloadTooLargeError",
    "PreconditionFailedError",
    "RateLimitError",
    "RequestOptions",
    "ServerError",
    "Svc",
    "SvcError",
    "TimeoutError",
    "TokenExpiredError",
    "UnauthorizedError",
    "WebhookVerificationError",
    "__version__",
    "checkpoints",
    "omit",
    "params",
    "types",
    "webhooks",
]
