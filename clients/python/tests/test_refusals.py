"""What is refused: options and arguments before anything is sent, and answers that are none."""

from __future__ import annotations

import asyncio
import gzip
import json
import socket
import threading
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from conftest import ASSESSMENT, EVENT, Handler, Script, Seen, Server

import svc
from svc import webhooks

KEY = "svc_live_secret_of_somebody"
Serve = Callable[[Script], Server]


def failure_of(
    server: Server, act: Callable[[Any], Any], **options: Any
) -> tuple[svc.SvcError, svc.SvcError]:
    """What both clients raise."""
    given = {"api_key": KEY, "base_url": server.base_url, "max_retries": 0, **options}
    with svc.Svc(**given) as client, pytest.raises(svc.SvcError) as raised:
        act(client)

    async def go() -> svc.SvcError:
        async with svc.AsyncSvc(**given) as other:
            with pytest.raises(svc.SvcError) as also:
                await act(other)
            return also.value

    return raised.value, asyncio.run(go())


def variables_of(error: BaseException | None) -> str:
    """Those of each frame but the tests', as error trackers report them."""
    told = []
    while error is not None:
        trace = error.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_filename != __file__:
                told.append(repr(trace.tb_frame.f_locals))
            trace = trace.tb_next
        error = error.__cause__ or error.__context__
    return "\n".join(told)


def get(client: Any) -> Any:
    return client.events.get("evt_1")


def found(_handler: Handler, _seen: Seen) -> tuple[int, Any]:
    return 200, EVENT


@pytest.mark.parametrize(
    "options",
    [
        {"idempotency_key": ""},
        {"idempotency_key": "two words"},
        {"idempotency_key": None},
        {"idempotency_key": 7},
        {"headers": {"a b": "c"}},
        {"headers": {"": "c"}},
        {"headers": {"a": "b\r\nc: d"}},
        {"headers": {"a": "ü"}},
        {"headers": {"a": 1}},
        {"headers": {"Content-Length": "1"}},
        {"headers": ["a"]},
        {"timeout_ms": 0},
        {"timeout_ms": -1},
        {"timeout_ms": float("nan")},
        {"timeout_ms": float("inf")},
        {"timeout_ms": "1"},
        {"timeout_ms": True},
        {"max_retries": -1},
        {"max_retries": 1.5},
        {"max_retries": None},
        {"timeout": 1},
    ],
)
def test_an_option_of_a_call_that_cannot_be_is_told_and_nothing_is_sent(
    serve: Serve, options: dict[str, Any]
) -> None:
    server = serve(found)
    for error in failure_of(server, lambda client: client.assess(input="Hi", options=options)):
        assert type(error) is svc.SvcError
        assert KEY not in variables_of(error)
    assert server.seen == []


CIRCULAR: list[Any] = []
CIRCULAR.append(CIRCULAR)


@pytest.mark.parametrize(
    "value", [float("nan"), CIRCULAR, b"bytes", {"a": bytearray(b"x")}, object(), {(1, 2): 3}, {1, 2}]
)
def test_a_body_that_is_no_json_is_told_and_nothing_is_sent(serve: Serve, value: Any) -> None:
    server = serve(found)
    for error in failure_of(server, lambda client: client.assess(input="Hi", metadata=value)):
        assert type(error) is svc.SvcError
    assert server.seen == []


@pytest.mark.parametrize(
    "act",
    [
        lambda client: client.events.get(None),
        lambda client: client.events.get("\ud800"),
        lambda client: client.request("GET", "/v1/events", query={"a": b"x"}),
        lambda client: client.request("GET", "/v1/events", query={"a": "\ud800"}),
        lambda client: client.request("GET /", "/v1/events"),
        lambda client: client.request("GET", "/v1/ev\x00ents"),
        lambda client: client.request("GET", "/v1/events#x"),
    ],
)
def test_an_address_that_cannot_be_is_told_and_nothing_is_sent(
    serve: Serve, act: Callable[[Any], Any]
) -> None:
    server = serve(found)
    for error in failure_of(server, act):
        assert type(error) is svc.SvcError
    assert server.seen == []


ANSWERS: list[Any] = [
    {},
    {**ASSESSMENT, "outcome": None},
    {**ASSESSMENT, "id": 7},
    {name: value for name, value in ASSESSMENT.items() if name != "outcome"},
    {"status": "ok"},
    [],
    None,
    b"",
    b"<html>",
    b'{"id": "asm_1"',
]


@pytest.mark.parametrize("answer", ANSWERS)
def test_an_answer_of_success_that_is_not_what_was_asked_for_is_an_error(serve: Serve, answer: Any) -> None:
    server = serve(lambda _handler, _seen: (200, answer))
    for error in failure_of(server, lambda client: client.assess(input="Hi")):
        assert type(error) is svc.SvcError
        assert "Is base_url right?" in str(error)


@pytest.mark.parametrize("page", [{"data": {}}, {"has_more": False}, {"data": [1], "has_more": False}])
def test_a_page_that_is_none_is_an_error(serve: Serve, page: Any) -> None:
    server = serve(lambda _handler, _seen: (200, page))
    with svc.Svc(api_key=KEY, base_url=server.base_url) as client, pytest.raises(svc.SvcError, match="page"):
        list(client.events.list())


def test_a_feed_that_answers_the_same_page_again_is_an_error(serve: Serve) -> None:
    page = {"data": [{**EVENT, "sequence": 3}], "has_more": True, "next_cursor": None}
    server = serve(lambda _handler, _seen: (200, page))
    with svc.Svc(api_key=KEY, base_url=server.base_url) as client, pytest.raises(svc.SvcError, match="again"):
        list(client.events.list(after_sequence=2))
    assert len(server.seen) == 2


def test_an_answer_that_is_too_large_is_an_error_and_is_not_held(serve: Serve) -> None:
    made = {"at": 0}

    def endless(handler: Handler, seen: Seen) -> None:
        status = 500 if seen.path.endswith("bad") else 200
        handler.wfile.write(f"HTTP/1.1 {status} X\r\ntransfer-encoding: chunked\r\n\r\n".encode())
        made["at"] = 0
        while True:
            handler.wfile.write(b"100000\r\n" + b" " * 0x100000 + b"\r\n")
            made["at"] += 1

    server = serve(endless)
    for error in failure_of(server, lambda client: client.events.get("bad")):
        assert type(error) is svc.SvcError
        assert "1048576 bytes" in str(error)
    with svc.Svc(api_key=KEY, base_url=server.base_url) as client:
        with pytest.raises(svc.SvcError, match="67108864 bytes"):
            client.events.get("evt_1")
    assert 60 < made["at"] < 100


def test_what_is_too_large_is_counted_decompressed(serve: Serve) -> None:
    bomb = gzip.compress(b" " * (65 * 1024 * 1024))

    def answer(handler: Handler, seen: Seen) -> None:
        small = seen.path.endswith("small")
        body = gzip.compress(json.dumps({**EVENT, "id": "evt_small"}).encode()) if small else bomb
        status = 500 if seen.path.endswith("bad") else 200
        head = f"HTTP/1.1 {status} X\r\ncontent-encoding: gzip\r\ncontent-length: {len(body)}\r\n\r\n"
        handler.wfile.write(head.encode() + body)

    server = serve(answer)
    for error in failure_of(server, get):
        assert "67108864 bytes" in str(error)
    with svc.Svc(api_key=KEY, base_url=server.base_url) as client:
        assert client.events.get("small").id == "evt_small"
    tracemalloc.start()
    try:
        for error in failure_of(server, lambda client: client.events.get("bad")):
            assert "1048576 bytes" in str(error)
        # No more is decompressed than may be kept.
        assert tracemalloc.get_traced_memory()[1] < 16 * 1024 * 1024
    finally:
        tracemalloc.stop()


def test_an_answer_in_another_protocol_is_an_error_at_once(serve: Serve) -> None:
    def switch(handler: Handler, _seen: Seen) -> None:
        handler.wfile.write(b"HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n")
        handler.is_gone()
        handler.close_connection = True

    began = time.monotonic()
    for error in failure_of(serve(switch), get):
        assert type(error) is svc.ConnectionError
    assert time.monotonic() - began < 2


def test_a_redirect_says_what_may_be_wrong_and_has_its_request_id(serve: Serve) -> None:
    def redirect(handler: Handler, _seen: Seen) -> None:
        head = "HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\nx-svc-request-id: req_1\r\n"
        handler.wfile.write(f"{head}content-length: 0\r\n\r\n".encode())

    for error in failure_of(serve(redirect), get):
        assert isinstance(error, svc.ApiError)
        assert (error.status, error.request_id) == (302, "req_1")
        assert "Is base_url right?" in str(error)


def test_a_service_that_echoes_the_key_does_not_get_it_into_an_error(serve: Serve) -> None:
    error = {
        "code": "invalid_request",
        "message": f"Bearer {KEY} is odd.",
        "request_id": KEY,
        "details": [{"pointer": f"/{KEY}", "message": f"not {KEY}"}],
    }
    for raised in failure_of(serve(lambda _handler, _seen: (400, {"error": error})), get):
        assert "Bearer svc_… is odd." in str(raised)
        assert KEY not in str(raised) + repr(raised) + str(vars(raised))


def test_the_key_is_in_no_variable_of_a_traceback_and_the_reason_is_kept() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        base_url = f"http://127.0.0.1:{free.getsockname()[1]}"
    with svc.Svc(api_key=KEY, base_url=base_url, max_retries=0) as client:
        with pytest.raises(svc.ConnectionError) as raised:
            client.events.get("evt_1")
    assert KEY not in variables_of(raised.value)
    assert "request" in variables_of(raised.value)
    # Frames of http libraries may hold what was sent.
    cause = raised.value.__cause__
    assert cause is not None and cause.__traceback__ is None
    assert "refused" in str(raised.value)


def drip(head: bytes, piece: Callable[[int], bytes]) -> Script:
    def answer(handler: Handler, _seen: Seen) -> None:
        handler.close_connection = True
        handler.wfile.write(head)
        for number in range(60):
            handler.wfile.write(piece(number))
            time.sleep(0.05)

    return answer


ZIPPED = gzip.compress(b'{"a":"' + b"x" * 100_000 + b'"}')
SLOW: dict[str, Script] = {
    "headers": drip(b"HTTP/1.1 200 OK\r\n", lambda number: b"x-%d: y\r\n" % number),
    "a status line": drip(b"HTTP/1.1 200 ", lambda _number: b"a"),
    "102": drip(b"", lambda _number: b"HTTP/1.1 102 Processing\r\n\r\n"),
    "gzip": drip(
        b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ntransfer-encoding: chunked\r\n\r\n",
        lambda number: b"1\r\n" + ZIPPED[number : number + 1] + b"\r\n",
    ),
    "an error": drip(b"HTTP/1.1 500 X\r\ncontent-length: 1000\r\n\r\n", lambda _number: b" "),
}


@pytest.mark.parametrize("what", SLOW)
def test_a_try_ends_by_its_deadline_whatever_is_dripped(serve: Serve, what: str) -> None:
    server = serve(SLOW[what])
    began = time.monotonic()
    for error in failure_of(server, get, timeout_ms=300):
        assert type(error) is svc.TimeoutError
    assert time.monotonic() - began < 1.5


def test_a_request_that_is_not_taken_ends_by_its_deadline() -> None:
    with socket.socket() as server:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        server.bind(("127.0.0.1", 0))
        server.listen()

        def take_slowly() -> None:
            connection, _ = server.accept()
            with connection:
                for _ in range(60):
                    connection.recv(4096)
                    time.sleep(0.05)

        threading.Thread(target=take_slowly, daemon=True).start()
        base_url = f"http://127.0.0.1:{server.getsockname()[1]}"
        began = time.monotonic()
        with svc.Svc(api_key=KEY, base_url=base_url, max_retries=0, timeout_ms=300) as client:
            with pytest.raises(svc.TimeoutError):
                client.assess(input="x" * 30_000_000)
        assert time.monotonic() - began < 1.5


def hang(handler: Handler, _seen: Seen) -> None:
    handler.is_gone()
    handler.close_connection = True


def test_a_call_has_its_own_time_out_and_that_of_what_it_waits_for(serve: Serve) -> None:
    server = serve(hang)
    began = time.monotonic()
    failure_of(server, lambda client: client.events.get("evt_1", options={"timeout_ms": 100}))
    assert time.monotonic() - began < 1
    began = time.monotonic()
    with svc.Svc(api_key=KEY, base_url=server.base_url, max_retries=0, timeout_ms=100) as client:
        with pytest.raises(svc.TimeoutError):
            list(client.events.list(after_sequence=0, wait_s=1))
    assert 1 <= time.monotonic() - began < 2


def test_what_is_streamed_may_take_longer_than_a_time_out_as_long_as_something_comes(serve: Serve) -> None:
    def bundle(handler: Handler, _seen: Seen) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n")
        for _ in range(10):
            handler.wfile.write(b"a")
            time.sleep(0.06)

    server = serve(bundle)
    with svc.Svc(api_key=KEY, base_url=server.base_url, timeout_ms=300) as client:
        assert client.exports.download("exp_1").read() == b"a" * 10


def test_defaults_are_those_of_the_documentation(serve: Serve) -> None:
    timeouts: list[dict[str, float]] = []

    def record(request: httpx.Request) -> httpx.Response:
        timeouts.append(dict(request.extensions["timeout"]))
        return httpx.Response(503, json={})

    waits: list[float] = []
    http_client = httpx.Client(transport=httpx.MockTransport(record))
    for _ in range(20):
        with svc.Svc(api_key=KEY, http_client=http_client, wait=waits.append) as client:
            with pytest.raises(svc.ServerError):
                client.events.get("evt_1")
    assert len(timeouts) == 80
    assert all(29 < one["read"] <= 30 for one in timeouts)
    for retry, most in enumerate((1_000, 2_000, 4_000)):
        of_retry = waits[retry::3]
        assert all(most / 2 <= wait <= most for wait in of_retry)
        # Clients that failed together do not come back together.
        assert len(set(of_retry)) > 10
        assert max(of_retry) - min(of_retry) > most / 10


SECRET = "whsec_" + "A" * 43 + "="


@pytest.mark.parametrize(
    "options",
    [
        {"tolerance_s": float("nan")},
        {"tolerance_s": float("inf")},
        {"tolerance_s": -1},
        {"now_s": float("nan")},
        {"now_s": float("inf")},
        {"now_s": "1"},
    ],
)
def test_a_tolerance_or_time_that_is_none_switches_nothing_off(options: dict[str, Any]) -> None:
    headers = {"webhook-id": "a", "webhook-timestamp": "1", "webhook-signature": "v1,a"}
    with pytest.raises(svc.SvcError, match="number of seconds") as raised:
        webhooks.verify(b"{}", headers, secret=SECRET, **options)
    assert type(raised.value) is svc.SvcError


@pytest.mark.parametrize("body", [{"a": 1}, 5, None, [1]])
def test_a_body_that_is_not_the_raw_one_is_told(body: Any) -> None:
    for verify in (webhooks.verify, webhooks.verify_signature_256):
        with pytest.raises(svc.SvcError, match="raw"):
            verify(body, {}, secret=SECRET)


@pytest.mark.parametrize("headers", [None, [], "x", {"webhook-id": None, 1: 2}])
def test_headers_that_are_none_are_no_signature(headers: Any) -> None:
    for verify in (webhooks.verify, webhooks.verify_signature_256):
        with pytest.raises(webhooks.WebhookVerificationError) as raised:
            verify(b"{}", headers, secret=SECRET)
        assert raised.value.rule == "signature_missing"


@pytest.mark.parametrize("secret", [None, b"whsec_", [], [None], "whsec_" + "A" * 42 + "B="])
def test_a_secret_that_is_none_is_told(secret: Any) -> None:
    headers = {"webhook-id": "a", "webhook-timestamp": "1", "webhook-signature": "v1,a"}
    with pytest.raises(webhooks.WebhookVerificationError) as raised:
        webhooks.verify(b"{}", headers, secret=secret)
    assert raised.value.rule == "secret_malformed"


def test_headers_of_frameworks_are_read() -> None:
    import base64
    import hashlib
    import hmac

    body = b'{"id":"evt_1"}'
    mac = hmac.new(bytes(32), b"evt_1.1000." + body, hashlib.sha256).digest()
    headers: Any = {
        b"Webhook-Id": b"evt_1",
        "webhook-timestamp": ["1000"],
        "WEBHOOK-SIGNATURE": (b"v1," + base64.b64encode(mac),),
    }
    assert webhooks.verify(body, headers, secret=SECRET, now_s=1300.9).id == "evt_1"
    forged = "v1," + base64.b64encode(bytes(32)).decode()
    headers["WEBHOOK-SIGNATURE"] = " ".join([forged] * 20 + ["v1," + base64.b64encode(mac).decode()])
    with pytest.raises(webhooks.WebhookVerificationError):
        webhooks.verify(body, headers, secret=SECRET, now_s=1000)
