"""Sources that end otherwise than they should, and streams that last."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest
from conftest import ASSESSMENT, Handler, Script, Seen, Server, whole

import svc
from svc import _guard_stream

Serve = Callable[[Script], Server]


def service(**behaviour: Any) -> Script:
    """Releases what comes; blocks at the word BAD."""

    def answer(_handler: Handler, seen: Seen) -> tuple[int, Any]:
        if not seen.path.endswith("/chunks"):
            return 200, {"id": "str_1", "assessment": ASSESSMENT, **behaviour.get("opened", {})}
        delta = seen.body.get("delta", "")
        is_final = "final" in seen.body
        members = {"released": delta, "outcome": "blocked" if "BAD" in delta else "allowed"}
        result = whole(svc.types.StreamChunkResult, seq=seen.body["seq"], **members)
        return 200, {**result, "assessment": ASSESSMENT if is_final else None, **behaviour.get("chunk", {})}

    return answer


def bodies(server: Server) -> list[Any]:
    return [seen.body for seen in server.seen if seen.path.endswith("/chunks")]


def gone_over(
    server: Server, pieces: list[Any], is_async: bool
) -> tuple[str, str | None, BaseException | None]:
    """What was shown, the outcome, and what was raised. A piece that is an exception is raised."""

    def source() -> Iterator[str]:
        for piece in pieces:
            if isinstance(piece, BaseException):
                raise piece
            yield piece

    async def async_source() -> AsyncIterator[str]:
        for piece in source():
            yield piece

    shown: list[str] = []
    found: list[Any] = [None, None]

    async def go() -> None:
        async with svc.AsyncSvc(api_key="k", base_url=server.base_url, max_retries=0) as client:
            stream = client.guard_stream(async_source(), input="Hi")
            try:
                async for text in stream:
                    shown.append(text)
            except BaseException as error:
                found[1] = error
            found[0] = stream.outcome

    def run() -> None:
        if is_async:
            asyncio.run(go())
            return
        with svc.Svc(api_key="k", base_url=server.base_url, max_retries=0) as client:
            guarded = client.guard_stream(source(), input="Hi")
            try:
                shown.extend(guarded)
            except BaseException as error:
                found[1] = error
            found[0] = guarded.outcome

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(10)
    assert not thread.is_alive(), "it hangs"
    return "".join(shown), found[0], found[1]


BOTH = pytest.mark.parametrize("is_async", [False, True])


@BOTH
@pytest.mark.parametrize("kind", [ValueError, SystemExit, KeyboardInterrupt, asyncio.CancelledError])
def test_whatever_a_source_raises_is_raised_after_what_came_before(
    serve: Serve, kind: type[BaseException], is_async: bool
) -> None:
    server = serve(service())
    shown, outcome, error = gone_over(server, ["one ", "two ", kind("broke")], is_async)
    assert (shown, outcome) == ("one two ", "allowed")
    assert type(error) is kind
    assert "final" in bodies(server)[-1]


@BOTH
def test_an_answer_that_is_blocked_ends_with_its_outcome_however_the_source_would(
    serve: Serve, is_async: bool
) -> None:
    server = serve(service())
    _shown, outcome, error = gone_over(server, ["BAD", ValueError("broke")], is_async)
    assert (outcome, error) == ("allowed", None)
    assert [sorted(body) for body in bodies(server)] == [["delta", "seq"], ["final", "seq"]]


@BOTH
@pytest.mark.parametrize(
    "behaviour",
    [
        {"opened": {"assessment": {}}},
        {"opened": {"assessment": {"id": "asm_1"}}},
        {"opened": {"assessment": None}},
        {"opened": {"id": None}},
        {"chunk": {"released": None}},
        {"chunk": {"outcome": None}},
        {"chunk": {"assessment": None}},
        {"chunk": {"assessment": {}}},
    ],
)
def test_a_guard_does_not_fail_open_where_an_answer_lacks_what_decides(
    serve: Serve, behaviour: Any, is_async: bool
) -> None:
    server = serve(service(**behaviour))
    _shown, outcome, error = gone_over(server, ["one"], is_async)
    assert outcome is None
    assert type(error) is svc.SvcError


def test_the_end_is_sent_at_once_where_the_source_of_a_blocked_answer_hangs(serve: Serve) -> None:
    ended: list[float] = []
    answer = service()

    def record(handler: Handler, seen: Seen) -> Any:
        if isinstance(seen.body, dict) and "final" in seen.body:
            ended.append(time.monotonic())
        return answer(handler, seen)

    go_on = threading.Event()

    def hanging() -> Iterator[str]:
        yield "BAD"
        go_on.wait(5)

    began = time.monotonic()
    with svc.Svc(api_key="k", base_url=serve(record).base_url) as client:
        list(client.guard_stream(hanging(), input="Hi"))
    go_on.set()
    assert ended[0] - began < 0.7


@BOTH
def test_a_stream_whose_source_is_silent_is_kept_alive(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, is_async: bool
) -> None:
    assert _guard_stream._KEEP_ALIVE_S == 20
    monkeypatch.setattr(_guard_stream, "_KEEP_ALIVE_S", 0.1)
    answer = service()
    enough = threading.Event()
    server: Server

    def record(handler: Handler, seen: Seen) -> Any:
        if bodies(server).count({"seq": 3}) == 1:
            enough.set()
        return answer(handler, seen)

    server = serve(record)
    shown: list[str] = []

    def source() -> Iterator[str]:
        yield "one "
        assert enough.wait(5)
        yield "two"

    async def async_source() -> AsyncIterator[str]:
        yield "one "
        yield ""
        assert await asyncio.to_thread(enough.wait, 5)
        yield "two"

    async def go() -> None:
        async with svc.AsyncSvc(api_key="k", base_url=server.base_url) as client:
            async for text in client.guard_stream(async_source(), input="Hi"):
                shown.append(text)

    if is_async:
        asyncio.run(go())
    else:
        with svc.Svc(api_key="k", base_url=server.base_url) as client:
            shown.extend(client.guard_stream(source(), input="Hi"))
    assert "".join(shown) == "one two"
    assert bodies(server)[:4] == [{"seq": 0, "delta": "one "}, {"seq": 1}, {"seq": 2}, {"seq": 3}]


@BOTH
def test_a_pause_is_counted_from_the_answer_before(serve: Serve, is_async: bool) -> None:
    asked: list[float] = []
    answered: list[float] = []
    answer = service()

    def slow(handler: Handler, seen: Seen) -> None:
        asked.append(time.monotonic())
        time.sleep(0.05)
        status, body = answer(handler, seen) or (500, None)
        answered.append(time.monotonic())
        handler.answer(status, body)

    gone_over(serve(slow), ["a" * 70_000, "b" * 70_000], is_async)
    # The first chunk need not wait: it follows the opening.
    pauses = [later - before for later, before in zip(asked[2:], answered[1:], strict=False)]
    assert len(pauses) >= 2
    assert all(pause >= 0.024 for pause in pauses)


@BOTH
def test_an_end_that_nobody_waits_for_is_bounded(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, is_async: bool
) -> None:
    assert _guard_stream._FINISH_MS_MAX == 5_000
    monkeypatch.setattr(_guard_stream, "_FINISH_MS_MAX", 200)
    answer = service()

    def hang_at_end(handler: Handler, seen: Seen) -> Any:
        if isinstance(seen.body, dict) and "final" in seen.body:
            handler.is_gone()
            handler.close_connection = True
            return None
        return answer(handler, seen)

    server = serve(hang_at_end)
    began = time.monotonic()
    _shown, outcome, error = gone_over(server, ["one", ValueError("broke")], is_async)
    assert (outcome, type(error)) == (None, ValueError)
    assert time.monotonic() - began < 2


def test_a_text_is_one_piece_and_what_is_no_source_is_told_at_once(serve: Serve) -> None:
    server = serve(service())
    with svc.Svc(api_key="k", base_url=server.base_url) as client:
        assert list(client.guard_stream("all of it", input="Hi")) == ["all of it"]
        count = len(server.seen)
        for source in (5, None):
            with pytest.raises(svc.SvcError, match="iterable"):
                client.guard_stream(source, input="Hi")  # type: ignore[arg-type]

    async def go() -> None:
        async with svc.AsyncSvc(api_key="k", base_url=server.base_url) as other:
            with pytest.raises(svc.SvcError, match="async iterable"):
                other.guard_stream(["a"], input="Hi")  # type: ignore[arg-type]

    asyncio.run(go())
    assert len(server.seen) == count
