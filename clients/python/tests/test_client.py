"""What is particular to the two clients; what all languages have in common is in clients/conformance."""

from __future__ import annotations

import asyncio
import inspect
import pickle
import threading
import time
import traceback
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from conftest import ASSESSMENT, EVENT, Handler, Script, Seen, Server, whole

import svc

KEY = "svc_live_secret_of_somebody"
Serve = Callable[[Script], Server]


def found(_handler: Handler, _seen: Seen) -> tuple[int, Any]:
    return 200, EVENT


def failing(_handler: Handler, _seen: Seen) -> tuple[int, Any]:
    return 503, {"error": {"code": "unavailable", "message": "Later."}}


def client_of(server: Server, **options: Any) -> svc.Svc:
    return svc.Svc(api_key=KEY, base_url=server.base_url, **options)


def async_client_of(server: Server, **options: Any) -> svc.AsyncSvc:
    return svc.AsyncSvc(api_key=KEY, base_url=server.base_url, **options)


def test_a_client_is_closed_at_the_end_of_its_block(serve: Serve) -> None:
    server = serve(found)
    with client_of(server) as client:
        assert client.events.get("evt_1").id == "evt_1"
    with pytest.raises(svc.SvcError, match="closed"):
        client.events.get("evt_1")

    async def go() -> None:
        async with async_client_of(server) as other:
            assert (await other.events.get("evt_1")).id == "evt_1"
        with pytest.raises(svc.SvcError, match="closed"):
            await other.events.get("evt_1")

    asyncio.run(go())


def test_an_http_client_of_ones_own_is_used_and_left_open() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json={**EVENT, "kind": request.headers["x-mine"]})

    mine = httpx.Client(transport=httpx.MockTransport(answer), headers={"x-mine": "seen"})
    with svc.Svc(api_key=KEY, http_client=mine) as client:
        assert client.events.get("evt_1").kind == "seen"
    assert not mine.is_closed

    async def go() -> None:
        own = httpx.AsyncClient(transport=httpx.MockTransport(answer), headers={"x-mine": "seen"})
        async with svc.AsyncSvc(api_key=KEY, http_client=own) as other:
            assert (await other.events.get("evt_1")).kind == "seen"
        assert not own.is_closed
        await own.aclose()

    asyncio.run(go())


def test_environment_variables_change_nothing(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "ALL_PROXY", "http_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with client_of(serve(found), max_retries=0) as client:
        assert client.events.get("evt_1").id == "evt_1"


@pytest.mark.parametrize(
    "options",
    [
        {"api_key": ""},
        {"api_key": f"{KEY}\n"},
        {"api_key": KEY + "é"},
        {"base_url": "localhost:8080"},
        {"base_url": "ftp://localhost"},
        {"base_url": f"http://me:{KEY}@localhost"},
        {"base_url": "http://localhost/?x=1"},
        {"max_retries": -1},
        {"retry_backoff_ms": -1},
        {"max_retry_wait_ms": float("nan")},
        {"timeout_ms": 0},
        {"org_id": "org\n1"},
    ],
)
def test_options_that_cannot_be_right_are_told_at_once_without_the_key(options: dict[str, Any]) -> None:
    for kind in (svc.Svc, svc.AsyncSvc):
        with pytest.raises(svc.SvcError) as raised:
            kind(**{"api_key": KEY, **options})
        assert KEY not in "".join(traceback.format_exception_only(raised.value))


def test_the_key_is_in_no_repr_and_no_error(serve: Serve) -> None:
    server = serve(lambda handler, _seen: setattr(handler, "close_connection", True))
    with client_of(server, max_retries=1, retry_backoff_ms=1) as client:
        with pytest.raises(svc.ConnectionError) as raised:
            client.events.get("evt_1")
        told = "".join(traceback.format_exception(raised.value))
        assert KEY not in told + repr(client) + repr(raised.value) + str(vars(raised.value))
        with pytest.raises(svc.SvcError) as refused:
            client.events.get("evt_1", options={"headers": {"x-a": "b\r\nc"}})
        assert type(refused.value) is svc.SvcError
        assert KEY not in "".join(traceback.format_exception(refused.value))


def test_what_is_shown_once_is_not_in_a_repr() -> None:
    created = whole(svc.types.WebhookWithSecret, webhook_id="wh_1", signing_secret="whsec_abc")

    def answer(_request: httpx.Request) -> httpx.Response:
        return httpx.Response(201, json=created)

    with svc.Svc(api_key=KEY, http_client=httpx.Client(transport=httpx.MockTransport(answer))) as client:
        webhook = client.webhooks.create(url="https://example.com", events=["*"])
    assert webhook.signing_secret == "whsec_abc"
    assert "whsec_abc" not in repr(webhook)


@pytest.mark.parametrize("segment", ["", ".", ".."])
def test_an_id_that_would_lead_to_another_path_is_refused(serve: Serve, segment: str) -> None:
    server = serve(found)
    with client_of(server) as client, pytest.raises(svc.SvcError, match="path"):
        client.webhooks.delete(segment)
    assert server.seen == []


def test_an_error_says_everything_and_survives_pickling(serve: Serve) -> None:
    details = [{"pointer": "/input", "message": "is missing"}]
    error = {"code": "invalid_request", "message": "Not valid.", "request_id": "req_1", "details": details}
    with client_of(serve(lambda _handler, _seen: (400, {"error": error}))) as client:
        with pytest.raises(svc.InvalidRequestError) as raised:
            client.assess()
    for one in (raised.value, pickle.loads(pickle.dumps(raised.value))):
        assert str(one) == "400 invalid_request: Not valid.; /input: is missing (request req_1)"
        assert (one.status, one.details[0].pointer) == (400, "/input")


def test_a_try_ends_by_its_deadline_also_when_something_keeps_coming(serve: Serve) -> None:
    def trickle(handler: Handler, _seen: Seen) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n")
        for _ in range(100):
            handler.wfile.write(b" ")
            time.sleep(0.05)

    server = serve(trickle)
    began = time.monotonic()
    with client_of(server, timeout_ms=300, max_retries=0) as client, pytest.raises(svc.TimeoutError):
        client.events.get("evt_1")
    assert time.monotonic() - began < 2

    async def go() -> None:
        async with async_client_of(server, timeout_ms=300, max_retries=0) as other:
            with pytest.raises(svc.TimeoutError):
                await other.events.get("evt_1")

    began = time.monotonic()
    asyncio.run(go())
    assert time.monotonic() - began < 2


def test_a_client_is_used_by_many_threads_at_once(serve: Serve) -> None:
    server = serve(lambda _handler, seen: (200, {**EVENT, "id": seen.path.rsplit("/", 1)[1]}))
    with client_of(server) as client, ThreadPoolExecutor(16) as pool:
        names = [f"evt_{n}" for n in range(100)]
        assert [event.id for event in pool.map(client.events.get, names)] == names


def test_what_has_no_method_is_a_request(serve: Serve) -> None:
    server = serve(lambda _handler, seen: (200, {"got": seen.body} if seen.path.startswith("/v1") else b""))
    with client_of(server) as client:
        assert client.request("post", "/v1/new", query={"a": True}, body=[1]) == {"got": [1]}
        assert client.request("GET", "/v1/old") == {"got": None}
        with pytest.raises(svc.SvcError, match="slash"):
            client.request("GET", "v1/old")
    assert (server.seen[0].method, server.seen[0].path) == ("POST", "/v1/new?a=true")
    assert "Idempotency-Key" not in server.seen[0].headers

    async def go() -> None:
        async with async_client_of(server) as other:
            key: svc.RequestOptions = {"idempotency_key": "mine"}
            assert await other.request("POST", "/v1/new", body={"x": 1}, options=key) == {"got": {"x": 1}}

    asyncio.run(go())
    assert server.seen[-1].headers["Idempotency-Key"] == "mine"


def test_each_call_can_differ(serve: Serve) -> None:
    server = serve(failing)
    with client_of(server, wait=lambda _ms: None) as client:
        with pytest.raises(svc.ServerError):
            client.assess(
                input="Hi",
                options={"idempotency_key": "mine", "max_retries": 1, "headers": {"accept": "x/y"}},
            )
    assert [seen.headers["Idempotency-Key"] for seen in server.seen] == ["mine", "mine"]
    assert server.seen[0].headers["Accept"] == "x/y"
    assert server.seen[0].headers["Authorization"] == f"Bearer {KEY}"


def test_cancelling_a_request_closes_its_connection_and_leaves_nothing_running(serve: Serve) -> None:
    gone = threading.Event()

    def hang(handler: Handler, _seen: Seen) -> None:
        if handler.is_gone():
            gone.set()
        handler.close_connection = True

    server = serve(hang)

    async def go() -> None:
        async with async_client_of(server) as client:
            task = asyncio.create_task(client.assess(input="Hi"))
            await asyncio.to_thread(server.has_seen.wait, 5)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert await asyncio.to_thread(gone.wait, 5)
            assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(go())
    assert len(server.seen) == 1


def test_cancelling_a_wait_ends_it_at_once(serve: Serve) -> None:
    server = serve(failing)

    async def go() -> None:
        waiting = asyncio.Event()

        async def wait(_ms: float) -> None:
            waiting.set()
            await asyncio.sleep(3600)

        async with async_client_of(server, wait=wait) as client:
            task = asyncio.create_task(client.events.get("evt_1"))
            await waiting.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(go())
    assert len(server.seen) == 1


def test_a_download_is_read_as_it_comes(serve: Serve) -> None:
    first_read = threading.Event()

    def bundle(handler: Handler, _seen: Seen) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nabc")
        assert first_read.wait(5)
        handler.wfile.write(b"def")

    server = serve(bundle)
    with client_of(server) as client:
        download = client.exports.download("exp_1")
        assert server.seen == []
        with download as chunks:
            assert next(chunks) == b"abc"
            first_read.set()
            assert b"".join(chunks) == b"def"
        assert client.exports.download("exp_1").read() == b"abcdef"
    first_read.clear()

    async def go() -> None:
        async with async_client_of(server) as other:
            async with other.exports.download("exp_1") as chunks:
                assert await anext(chunks) == b"abc"
                first_read.set()
                assert [chunk async for chunk in chunks] == [b"def"]

    asyncio.run(go())


def test_a_download_that_breaks_off_is_an_error(serve: Serve) -> None:
    def broken(handler: Handler, _seen: Seen) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\ncontent-length: 600\r\n\r\nabc")
        handler.close_connection = True

    server = serve(broken)
    with client_of(server) as client, pytest.raises(svc.ConnectionError):
        client.exports.download("exp_1").read()

    async def go() -> None:
        async with async_client_of(server) as other:
            with pytest.raises(svc.ConnectionError):
                await other.exports.download("exp_1").read()

    asyncio.run(go())


def test_a_list_gives_its_first_page_and_further_ones_when_asked(serve: Serve) -> None:
    def pages(_handler: Handler, seen: Seen) -> tuple[int, Any]:
        is_second = "cursor=c1" in seen.path
        data = [{"id": "evt_2" if is_second else "evt_1"}]
        return 200, {"data": data, "has_more": not is_second, "next_cursor": None if is_second else "c1"}

    server = serve(pages)
    with client_of(server) as client:
        events = client.events.list(limit=1)
        assert server.seen == []
        assert [event.id for event in events.first_page().data] == ["evt_1"]
        assert [event.id for event in events] == ["evt_1", "evt_2"]
        assert [page.next_cursor for page in events.pages()] == ["c1", None]

    async def go() -> None:
        async with async_client_of(server) as other:
            listed = other.events.list(limit=1)
            assert (await listed.first_page()).has_more
            assert [event.id async for event in listed] == ["evt_1", "evt_2"]

    asyncio.run(go())


class Model:
    """A source that tells what became of it."""

    def __init__(self, pieces: int) -> None:
        self._pieces = pieces
        self.read = 0
        self.is_closed = threading.Event()

    def sync(self) -> Iterator[str]:
        try:
            while self.read < self._pieces:
                self.read += 1
                yield "word " * 2_000
        finally:
            self.is_closed.set()

    async def hanging(self) -> AsyncIterator[str]:
        try:
            self.read += 1
            yield "word "
            await asyncio.sleep(3600)
        finally:
            self.is_closed.set()


def releasing(_handler: Handler, seen: Seen) -> tuple[int, Any]:
    if not seen.path.endswith("/chunks"):
        return 200, {"id": "str_1", "assessment": ASSESSMENT}
    return 200, chunk_of(seen)


def chunk_of(seen: Seen, **members: Any) -> dict[str, Any]:
    """Everything is released as it comes, but for ``members``."""
    result = whole(svc.types.StreamChunkResult, seq=seen.body["seq"], released=seen.body.get("delta", ""))
    assessment = ASSESSMENT if "final" in seen.body else None
    return {**result, "outcome": "allowed", "assessment": assessment, **members}


def test_leaving_a_guarded_stream_closes_the_source_and_finishes_the_stream(serve: Serve) -> None:
    server = serve(releasing)
    model = Model(2_000)
    with client_of(server) as client:
        for _text in client.guard_stream(model.sync(), input="Hi"):
            break
    assert model.is_closed.wait(5)
    assert server.seen[-1].body == {"seq": 1, "final": True}
    # Not read far ahead of what is sent.
    assert model.read < 20
    assert not [thread for thread in threading.enumerate() if thread.name == "svc-guard-stream"]


def test_cancelling_a_guarded_stream_closes_the_source_and_leaves_nothing_running(serve: Serve) -> None:
    server = serve(releasing)
    model = Model(1)

    async def go() -> None:
        came = asyncio.Event()

        async def show(client: svc.AsyncSvc) -> None:
            async for _text in client.guard_stream(model.hanging(), input="Hi"):
                came.set()

        async with async_client_of(server) as client:
            task = asyncio.create_task(show(client))
            await came.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert model.is_closed.is_set()
            assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(go())


def test_a_guarded_stream_is_gone_over_once(serve: Serve) -> None:
    with client_of(serve(releasing)) as client:
        stream = client.guard_stream(["a", "b"], input="Hi")
        assert "".join(stream) == "ab"
        assert stream.outcome == "allowed"
        with pytest.raises(svc.SvcError, match="once"):
            list(stream)


def test_both_clients_have_the_same_surface() -> None:
    with svc.Svc(api_key=KEY) as client:
        other = svc.AsyncSvc(api_key=KEY)
        for name, resource in vars(client).items():
            if name == "_transport":
                continue
            for method, call in inspect.getmembers(resource, inspect.ismethod):
                twin = getattr(getattr(other, name), method)
                if method != "__init__":
                    assert inspect.signature(call).parameters == inspect.signature(twin).parameters
