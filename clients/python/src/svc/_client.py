"""The clients."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from types import TracebackType
from typing import Any

import httpx

from ._generated.async_resources import AsyncResources
from ._generated.resources import Resources
from ._requests import (
    BASE_URL,
    MAX_RETRIES,
    MAX_RETRY_WAIT_MS,
    RETRY_BACKOFF_MS,
    TIMEOUT_MS,
    RequestOptions,
    Rules,
    free_call,
)
from ._transport import AsyncTransport, Transport


class Svc(Resources):
    """
    The service, for one credential. Safe to use from many threads at once::

        with Svc(api_key="svc_live_…") as client:
            print(client.assess(input="What is the capital of France?").outcome)

    Args:
        api_key: ``svc_live_…``, or a session token.
        org_id: ``org_…``; sent so that a credential of another organization is refused.
        base_url: Where the service is.
        max_retries: How often a request is sent again.
        retry_backoff_ms: The first wait between two tries; the next ones are twice as long each.
        max_retry_wait_ms: Who would have to wait longer is told at once.
        timeout_ms: For one try, until its whole answer is read; of bytes that are streamed, until they begin,
            and then the longest silence.
        http_client: To send with, for proxies and certificates of one's own. It is left open.
        wait: How to wait between tries, in milliseconds; for tests.

    Raises:
        SvcError: For options that cannot be right.
    """

    def __init__(
        self,
        *,
        api_key: str,
        org_id: str | None = None,
        base_url: str = BASE_URL,
        max_retries: int = MAX_RETRIES,
        retry_backoff_ms: float = RETRY_BACKOFF_MS,
        max_retry_wait_ms: float = MAX_RETRY_WAIT_MS,
        timeout_ms: float = TIMEOUT_MS,
        http_client: httpx.Client | None = None,
        wait: Callable[[float], None] | None = None,
    ) -> None:
        rules = Rules(
            api_key=api_key,
            org_id=org_id,
            base_url=base_url,
            max_retries=max_retries,
            retry_backoff_ms=retry_backoff_ms,
            max_retry_wait_ms=max_retry_wait_ms,
            timeout_ms=timeout_ms,
        )
        super().__init__(Transport(rules, http_client, wait))

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        body: Any = None,
        options: RequestOptions | None = None,
    ) -> Any:
        """
        For what has no method here: `client.request("GET", "/v1/usage")`.

        Credential, retries and errors are those of every call; a POST is repeated after a fault only with an
        `idempotency_key`. Returns the answer: parsed where it is JSON, else as text; `None` where there is
        none.
        """
        return self._transport.any(free_call(method, path, query, body, options), options)

    def close(self) -> None:
        """Closes its connections."""
        self._transport.close()

    def __enter__(self) -> Svc:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Svc(base_url={self._transport.rules.base_url!r})"


class AsyncSvc(AsyncResources):
    """
    The service, for one credential, with asyncio. Safe to use from many tasks at once::

        async with AsyncSvc(api_key="svc_live_…") as client:
            print((await client.assess(input="What is the capital of France?")).outcome)

    Cancelling a task ends its request, or its wait for the next try, and leaves nothing running.

    Args and errors are as with ``Svc``; ``http_client`` is an ``httpx.AsyncClient``, ``wait`` is awaited.
    """

    def __init__(
        self,
        *,
        api_key: str,
        org_id: str | None = None,
        base_url: str = BASE_URL,
        max_retries: int = MAX_RETRIES,
        retry_backoff_ms: float = RETRY_BACKOFF_MS,
        max_retry_wait_ms: float = MAX_RETRY_WAIT_MS,
        timeout_ms: float = TIMEOUT_MS,
        http_client: httpx.AsyncClient | None = None,
        wait: Callable[[float], Awaitable[None]] | None = None,
    ) -> None:
        rules = Rules(
            api_key=api_key,
            org_id=org_id,
            base_url=base_url,
            max_retries=max_retries,
            retry_backoff_ms=retry_backoff_ms,
            max_retry_wait_ms=max_retry_wait_ms,
            timeout_ms=timeout_ms,
        )
        super().__init__(AsyncTransport(rules, http_client, wait))

    async def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        body: Any = None,
        options: RequestOptions | None = None,
    ) -> Any:
        """As `Svc.request`."""
        return await self._transport.any(free_call(method, path, query, body, options), options)

    async def close(self) -> None:
        """Closes its connections."""
        await self._transport.close()

    async def __aenter__(self) -> AsyncSvc:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"AsyncSvc(base_url={self._transport.rules.base_url!r})"
