"""Sends requests and waits between tries, in two ways: blocking, and with asyncio."""

from __future__ import annotations

import asyncio
import socket
import ssl
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Iterator
from types import TracebackType
from typing import Any, TypeVar

import httpcore
import httpx

from ._errors import SvcError, TimeoutError
from ._models import Answer
from ._pages import AsyncPages, Item, Pages
from ._requests import (
    ANYTHING,
    FAULTS,
    JSON,
    JSON_OR_ANYTHING,
    TEXT,
    Body,
    Call,
    Reply,
    Request,
    RequestOptions,
    Rules,
    any_of,
    fault_of,
    model_of,
    object_of,
)

Value = TypeVar("Value")
_CONNECTIONS_MAX = 100
_IDLE_CONNECTIONS_MAX = 20
# What is sent in one piece; before each it is looked whether there is time left.
_WRITE_BYTES_MAX = 16 * 1024


def _require_open(client: httpx.Client | httpx.AsyncClient) -> None:
    if client.is_closed:
        raise SvcError("The client is closed.")


class Transport:
    """Blocking. Safe to use from many threads at once."""

    def __init__(
        self,
        rules: Rules,
        http_client: httpx.Client | None = None,
        wait: Callable[[float], None] | None = None,
    ) -> None:
        self.rules = rules
        self._client = http_client or httpx.Client(trust_env=False, transport=_Network(rules.is_https))
        self._is_own_client = http_client is None
        self._wait = wait or (lambda ms: time.sleep(ms / 1_000))

    def close(self) -> None:
        if self._is_own_client:
            self._client.close()

    def json(self, kind: type[Answer], call: Call, options: RequestOptions | None) -> Answer:
        return model_of(kind, self._read(call, JSON, options).body)

    def object(self, call: Call, options: RequestOptions | None) -> dict[str, Any]:
        return object_of(self._read(call, JSON, options).body)

    def text(self, call: Call, options: RequestOptions | None) -> str:
        return self._read(call, TEXT, options).body.decode("utf-8", "replace")

    def none(self, call: Call, options: RequestOptions | None) -> None:
        self._read(call, ANYTHING, options)

    def any(self, call: Call, options: RequestOptions | None) -> Any:
        return any_of(self._read(call, JSON_OR_ANYTHING, options))

    def pages(self, kind: type[Item], call: Call, options: RequestOptions | None) -> Pages[Item]:
        return Pages(lambda each: self.object(each, options), kind, call)

    def bytes(self, call: Call, options: RequestOptions | None) -> Download:
        return Download(self, call, options)

    def open(self, call: Call, options: RequestOptions | None) -> httpx.Response:
        """An answer of success whose body is not read."""
        return self._send(call, ANYTHING, options, self._open)

    def _read(self, call: Call, accept: str, options: RequestOptions | None) -> Reply:
        return self._send(call, accept, options, self._exchange)

    def _send(
        self,
        call: Call,
        accept: str,
        options: RequestOptions | None,
        attempt: Callable[[Request, float], Value],
    ) -> Value:
        request = self.rules.request(call, accept, options)
        timeout_s = self.rules.timeout_s(call, options)
        tries = self.rules.tries(request, options)
        while True:
            _require_open(self._client)
            try:
                return attempt(request, timeout_s)
            except SvcError as failure:
                wait_ms = tries.wait_ms_after(failure)
            self._wait(wait_ms)

    def _exchange(self, request: Request, timeout_s: float) -> Reply:
        deadline = _Deadline(timeout_s)
        try:
            response = self._client.send(self._built(request, deadline), stream=True, follow_redirects=False)
            try:
                reply = Reply(response.status_code, response.headers, deadline.read(response))
            finally:
                response.close()
        except FAULTS as error:
            raise fault_of(error) from error
        failure = self.rules.failure_of(reply)
        if failure is not None:
            raise failure
        return reply

    def _open(self, request: Request, timeout_s: float) -> httpx.Response:
        deadline = _Deadline(timeout_s)
        try:
            response = self._client.send(self._built(request, deadline), stream=True, follow_redirects=False)
            try:
                if response.is_success:
                    deadline.lift()
                    return response
                reply = Reply(response.status_code, response.headers, deadline.read(response))
            except BaseException:
                response.close()
                raise
        except FAULTS as error:
            raise fault_of(error) from error
        response.close()
        raise self.rules.failure_of(reply) or SvcError("The service's answer was not understood.")

    def _built(self, request: Request, deadline: _Deadline) -> httpx.Request:
        return self._client.build_request(
            request.method,
            request.url,
            headers=request.headers,
            content=request.content,
            extensions={"timeout": deadline.timeouts, "trace": deadline.trace},
        )


class _Deadline:
    """
    Of one try. What httpx calls a time-out is of one step, such as waiting for the next bytes: so each step,
    and below that each read of the network, is given what is left when it begins.
    """

    def __init__(self, timeout_s: float) -> None:
        self._timeout_s = timeout_s
        self._at: float | None = time.monotonic() + timeout_s
        self.timeouts: dict[str, float] = {}
        self.trace("began", {})

    def trace(self, _event: str, _info: dict[str, Any]) -> None:
        """Is called as each step begins and ends. An http client of somebody else's knows no more of it."""
        if self._at is not None:
            self.timeouts.update(dict.fromkeys(("connect", "read", "write", "pool"), _Left(self)))

    def step_s(self) -> float:
        """For a step that begins now."""
        return self._timeout_s if self._at is None else max(0.001, self._at - time.monotonic())

    def left_s(self) -> float:
        """Raises where nothing is left."""
        if self._at is None:
            return self._timeout_s
        left_s = self._at - time.monotonic()
        if left_s <= 0:
            raise httpcore.ReadTimeout("The whole took too long.")
        return left_s

    def read(self, response: httpx.Response) -> bytes:
        if response.status_code == 101:
            return b""
        if response.is_stream_consumed:
            # It was never of the network.
            return response.content
        body = Body(response)
        for raw in response.iter_raw():
            self.left_s()
            body.add(raw)
        return body.whole()

    def lift(self) -> None:
        """What follows may take as long as it takes, as long as something comes."""
        self._at = None
        self.timeouts.update(dict.fromkeys(self.timeouts, self._timeout_s))


class _Left(float):
    """What is left: of the step that begins, as a number; at any time, of its deadline."""

    deadline: _Deadline

    def __new__(cls, deadline: _Deadline) -> _Left:
        left = super().__new__(cls, deadline.step_s())
        left.deadline = deadline
        return left


def _left_s(timeout: float | None) -> float | None:
    """httpcore hands on what it was given as time-out: so what is left is known down here."""
    return timeout.deadline.left_s() if isinstance(timeout, _Left) else timeout


class _Stream(httpcore.NetworkStream):
    """A connection of which each read and write takes no longer than what is left."""

    def __init__(self, stream: httpcore.NetworkStream) -> None:
        self._stream = stream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, _left_s(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        for start in range(0, len(buffer), _WRITE_BYTES_MAX):
            self._stream.write(buffer[start : start + _WRITE_BYTES_MAX], _left_s(timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        return _Stream(self._stream.start_tls(ssl_context, server_hostname, _left_s(timeout)))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


class _Backend(httpcore.SyncBackend):
    """Connects, with all addresses of a host within what is left."""

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            raise httpcore.ConnectError(str(error)) from error
        fault: Exception = httpcore.ConnectError(f"{host} has no address.")
        for address in dict.fromkeys(str(entry[4][0]) for entry in found):
            try:
                left_s = _left_s(timeout)
                return _Stream(super().connect_tcp(address, port, left_s, local_address, socket_options))
            except httpcore.ConnectError as error:
                fault = error
        raise fault


class _Network(httpx.BaseTransport):
    """What httpx sends with, where the deadline holds for every byte."""

    def __init__(self, is_https: bool) -> None:
        self._pool = httpcore.ConnectionPool(
            # Certificates take a while to load.
            ssl_context=httpx.create_ssl_context(trust_env=False) if is_https else None,
            max_connections=_CONNECTIONS_MAX,
            max_keepalive_connections=_IDLE_CONNECTIONS_MAX,
            keepalive_expiry=5.0,
            network_backend=_Backend(),
        )

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        url = httpcore.URL(
            scheme=request.url.raw_scheme,
            host=request.url.raw_host,
            port=request.url.port,
            target=request.url.raw_path,
        )
        response = self._pool.handle_request(
            httpcore.Request(
                method=request.method,
                url=url,
                headers=request.headers.raw,
                content=request.stream,
                extensions=request.extensions,
            )
        )
        return httpx.Response(
            response.status,
            headers=response.headers,
            stream=_Received(response),
            extensions=response.extensions,
        )

    def close(self) -> None:
        self._pool.close()


class _Received(httpx.SyncByteStream):
    def __init__(self, response: httpcore.Response) -> None:
        self._response = response

    def __iter__(self) -> Iterator[bytes]:
        return self._response.iter_stream()

    def close(self) -> None:
        self._response.close()


class Download:
    """
    Bytes that are read as they come::

        with client.exports.download(export_id) as chunks:
            for chunk in chunks:
                file.write(chunk)

    Nothing is asked for before ``with`` or ``read()``. A download that breaks off raises ``ConnectionError``.
    """

    def __init__(self, transport: Transport, call: Call, options: RequestOptions | None) -> None:
        self._transport = transport
        self._call = call
        self._options = options
        self._response: httpx.Response | None = None

    def __enter__(self) -> Iterator[bytes]:
        self._response = self._transport.open(self._call, self._options)
        return self._chunks(self._response)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._response is not None:
            self._response.close()

    def read(self) -> bytes:
        """All of it, in memory."""
        with self as chunks:
            return b"".join(chunks)

    def _chunks(self, response: httpx.Response) -> Iterator[bytes]:
        try:
            yield from response.iter_bytes()
        except FAULTS as error:
            raise fault_of(error) from error


class AsyncTransport:
    """With asyncio. Safe to use from many tasks of one loop."""

    def __init__(
        self,
        rules: Rules,
        http_client: httpx.AsyncClient | None = None,
        wait: Callable[[float], Awaitable[None]] | None = None,
    ) -> None:
        self.rules = rules
        self._client = http_client or httpx.AsyncClient(
            trust_env=False,
            limits=httpx.Limits(
                max_connections=_CONNECTIONS_MAX, max_keepalive_connections=_IDLE_CONNECTIONS_MAX
            ),
            verify=rules.is_https,
        )
        self._is_own_client = http_client is None
        self._wait = wait or (lambda ms: asyncio.sleep(ms / 1_000))

    async def close(self) -> None:
        if self._is_own_client:
            await self._client.aclose()

    async def json(self, kind: type[Answer], call: Call, options: RequestOptions | None) -> Answer:
        return model_of(kind, (await self._read(call, JSON, options)).body)

    async def object(self, call: Call, options: RequestOptions | None) -> dict[str, Any]:
        return object_of((await self._read(call, JSON, options)).body)

    async def text(self, call: Call, options: RequestOptions | None) -> str:
        return (await self._read(call, TEXT, options)).body.decode("utf-8", "replace")

    async def none(self, call: Call, options: RequestOptions | None) -> None:
        await self._read(call, ANYTHING, options)

    async def any(self, call: Call, options: RequestOptions | None) -> Any:
        return any_of(await self._read(call, JSON_OR_ANYTHING, options))

    def pages(self, kind: type[Item], call: Call, options: RequestOptions | None) -> AsyncPages[Item]:
        return AsyncPages(lambda each: self.object(each, options), kind, call)

    def bytes(self, call: Call, options: RequestOptions | None) -> AsyncDownload:
        return AsyncDownload(self, call, options)

    async def open(self, call: Call, options: RequestOptions | None) -> httpx.Response:
        """An answer of success whose body is not read."""
        return await self._send(call, ANYTHING, options, self._open)

    async def _read(self, call: Call, accept: str, options: RequestOptions | None) -> Reply:
        return await self._send(call, accept, options, self._exchange)

    async def _send(
        self,
        call: Call,
        accept: str,
        options: RequestOptions | None,
        attempt: Callable[[httpx.Request], Coroutine[Any, Any, Value]],
    ) -> Value:
        request = self.rules.request(call, accept, options)
        timeout_s = self.rules.timeout_s(call, options)
        tries = self.rules.tries(request, options)
        while True:
            _require_open(self._client)
            try:
                return await _within(timeout_s, attempt(self._built(request, timeout_s)))
            except SvcError as failure:
                wait_ms = tries.wait_ms_after(failure)
            await self._wait(wait_ms)

    async def _exchange(self, request: httpx.Request) -> Reply:
        response = await self._client.send(request, stream=True, follow_redirects=False)
        try:
            reply = Reply(response.status_code, response.headers, await _read(response))
        finally:
            await response.aclose()
        failure = self.rules.failure_of(reply)
        if failure is not None:
            raise failure
        return reply

    async def _open(self, request: httpx.Request) -> httpx.Response:
        response = await self._client.send(request, stream=True, follow_redirects=False)
        if response.is_success:
            return response
        try:
            reply = Reply(response.status_code, response.headers, await _read(response))
        finally:
            await response.aclose()
        raise self.rules.failure_of(reply) or SvcError("The service's answer was not understood.")

    def _built(self, request: Request, timeout_s: float) -> httpx.Request:
        return self._client.build_request(
            request.method,
            request.url,
            headers=request.headers,
            content=request.content,
            timeout=timeout_s,
        )


async def _read(response: httpx.Response) -> bytes:
    if response.status_code == 101:
        return b""
    if response.is_stream_consumed:
        # It was never of the network.
        return response.content
    body = Body(response)
    async for raw in response.aiter_raw():
        body.add(raw)
    return body.whole()


async def _within(timeout_s: float, attempt: Coroutine[Any, Any, Value]) -> Value:
    try:
        if sys.version_info >= (3, 11):
            async with asyncio.timeout(timeout_s):
                return await attempt
        else:
            return await asyncio.wait_for(attempt, timeout_s)
    except asyncio.TimeoutError as error:
        raise TimeoutError("The service did not answer in time.") from error
    except FAULTS as error:
        raise fault_of(error) from error


class AsyncDownload:
    """
    Bytes that are read as they come::

        async with client.exports.download(export_id) as chunks:
            async for chunk in chunks:
                file.write(chunk)

    Nothing is asked for before ``async with`` or ``read()``. A download that breaks off raises
    ``ConnectionError``.
    """

    def __init__(self, transport: AsyncTransport, call: Call, options: RequestOptions | None) -> None:
        self._transport = transport
        self._call = call
        self._options = options
        self._response: httpx.Response | None = None

    async def __aenter__(self) -> AsyncIterator[bytes]:
        self._response = await self._transport.open(self._call, self._options)
        return self._chunks(self._response)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._response is not None:
            await self._response.aclose()

    async def read(self) -> bytes:
        """All of it, in memory."""
        async with self as chunks:
            return b"".join([chunk async for chunk in chunks])

    async def _chunks(self, response: httpx.Response) -> AsyncIterator[bytes]:
        try:
            async for chunk in response.aiter_bytes():
                yield chunk
        except FAULTS as error:
            raise fault_of(error) from error
