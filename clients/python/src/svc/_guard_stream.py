"""Text of a model, released as it turns out to be safe."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import threading
import time
from collections.abc import (
    AsyncGenerator,
    AsyncIterable,
    AsyncIterator,
    Generator,
    Iterable,
    Iterator,
    Mapping,
)
from typing import Any

from ._errors import SvcError
from ._generated.types import Assessment, Stream, StreamChunkResult
from ._models import missing
from ._requests import Call, RequestOptions, segment
from ._transport import AsyncTransport, Transport

# A stream takes 50 chunks a second; what the model writes meanwhile goes with the next one.
_CHUNK_INTERVAL_S = 0.025
# What a chunk holds, in UTF-16 units, and how far the model is read ahead.
_DELTA_CHARS_MAX = 65_536
# How long is waited for a source that is in the midst of a piece when nothing more is wanted of it.
_CLOSE_WAIT_S = 1.0
# A stream in which nothing is sent for a minute is closed by the service.
_KEEP_ALIVE_S = 20.0
# How long the end of a stream may take that nobody waits for.
_FINISH_MS_MAX = 5_000


class _Guarded:
    """What both kinds have in common: what is asked for, and what came of it."""

    def __init__(self, inference: Mapping[str, Any], options: RequestOptions | None) -> None:
        self._inference = inference
        self._options = options
        self._assessment: Assessment | None = None
        self._is_started = False

    @property
    def assessment(self) -> Assessment | None:
        """Of the whole exchange, once it has ended; ``None`` before, and where it ended with an error."""
        return self._assessment

    @property
    def outcome(self) -> str | None:
        """``None`` as long as ``assessment`` is."""
        return None if self._assessment is None else self._assessment.outcome

    def _start(self) -> None:
        if self._is_started:
            raise SvcError("A guarded stream is gone over once.")
        self._is_started = True

    def _opening(self) -> Call:
        return Call("POST", "/v1/assessments/streams", body=self._inference, takes_key=True)

    def _opened(self, stream: Stream) -> bool:
        """False: the input is blocked, and that was all."""
        if missing(Assessment, stream.assessment.raw):
            raise SvcError("The service opened a stream without an assessment of its input.")
        if stream.assessment.outcome == "blocked":
            self._assessment = stream.assessment
        return self._assessment is None

    def _finished(self, result: StreamChunkResult) -> str:
        if not isinstance(result.assessment, Assessment) or missing(Assessment, result.assessment.raw):
            raise SvcError("The service ended a stream without an assessment of the whole.")
        self._assessment = result.assessment
        return result.released


class _Chunks:
    """Numbers the chunks of a stream, and keeps count of when the next one may be sent."""

    def __init__(self, stream_id: str, options: RequestOptions | None, timeout_ms: float) -> None:
        self._path = f"/v1/assessments/streams/{segment(stream_id)}/chunks"
        # A key is of one request.
        self.options: RequestOptions = {**(options or {})}
        self.options.pop("idempotency_key", None)
        within_ms = min(self.options.get("timeout_ms", timeout_ms), _FINISH_MS_MAX)
        self.once: RequestOptions = {**self.options, "max_retries": 0, "timeout_ms": within_ms}
        self._seq = 0
        self._answered_at = time.monotonic()
        self._has_come = False
        self.has_ended = False

    @property
    def rest_s(self) -> float:
        """Until the next one may be sent. Only when one is answered it is certain when the service had it."""
        return max(0.0, self._answered_at + _CHUNK_INTERVAL_S - time.monotonic()) if self._has_come else 0.0

    @property
    def silence_s(self) -> float:
        """How long nothing need be sent."""
        return max(0.0, self._answered_at + _KEEP_ALIVE_S - time.monotonic())

    def answered(self) -> None:
        self._has_come = True
        self._answered_at = time.monotonic()

    def next(self, members: Mapping[str, Any]) -> Call:
        self.has_ended = "final" in members
        call = Call("POST", self._path, body={"seq": self._seq, **members}, takes_key=True)
        self._seq += 1
        return call


class _Ahead:
    """What was read of the source and not yet sent."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._length = 0
        self.is_over = False
        self.is_closed = False
        self.fault: BaseException | None = None
        """What the source raised; also what would end the program."""

    @property
    def is_empty(self) -> bool:
        return self._length == 0

    @property
    def is_full(self) -> bool:
        return self._length >= _DELTA_CHARS_MAX

    def add(self, piece: str) -> None:
        if not isinstance(piece, str):
            raise TypeError(f"A guarded stream is of pieces of text, not of {type(piece).__name__}.")
        self._pieces.append(piece)
        self._length += len(piece)

    def take(self) -> str:
        """What makes a chunk; empty where nothing came."""
        text = "".join(self._pieces)
        size = min(len(text), _DELTA_CHARS_MAX)
        # A character beyond the first plane has two units.
        if max(text[:size], default="") > "\uffff":
            size = min(size, _DELTA_CHARS_MAX // 2)
        rest = text[size:]
        self._pieces = [rest] if rest else []
        self._length = len(rest)
        return text[:size]


class GuardedStream(_Guarded):
    """
    What may be shown of a model's answer: go over it once. It ends early where the answer is blocked; where
    the question is, it is empty, and the source is never touched. ``outcome`` tells which. What the source
    raises is raised again, after all that may be shown of what came before. Leave the loop, and the source is
    closed and the stream is recorded as far as it came.

    The source is read in a thread of its own, so that the model does not wait for the network.
    """

    def __init__(
        self,
        transport: Transport,
        source: Iterable[str],
        inference: Mapping[str, Any],
        options: RequestOptions | None = None,
    ) -> None:
        super().__init__(inference, options)
        self._transport = transport
        # A text is one piece, not as many as it has characters.
        self._source = [source] if isinstance(source, str) else source
        if not isinstance(self._source, Iterable):
            raise SvcError(
                f"The source of a guarded stream must be an iterable; {type(source).__name__} is not."
            )

    def __iter__(self) -> Iterator[str]:
        self._start()
        return self._run()

    def _run(self) -> Generator[str, None, None]:
        opened = self._transport.json(Stream, self._opening(), self._options)
        if not self._opened(opened):
            return
        chunks = _Chunks(opened.id, self._options, self._transport.rules.timeout_ms)
        reader = _ThreadReader(self._source)
        is_blocked = False
        try:
            while not is_blocked and (delta := self._take(chunks, reader)) is not None:
                result = self._send(chunks, {"delta": delta} if delta else {})
                is_blocked = result.outcome == "blocked"
                if result.released:
                    yield result.released
            # It does not matter how the source of an answer that is blocked would have ended.
            fault = None if is_blocked else reader.ahead.fault
            reader.stop()
            released = ""
            with contextlib.suppress(*([SvcError] if fault is not None else [])):
                released = self._finish(chunks, None if fault is None else chunks.once)
            if released:
                yield released
            if fault is not None:
                raise fault
        except GeneratorExit:
            reader.stop()
            if not chunks.has_ended:
                # Whoever stopped listening need not wait for the minute after which it is recorded anyway.
                with contextlib.suppress(SvcError):
                    self._finish(chunks, chunks.once)
            raise
        finally:
            reader.close()

    def _take(self, chunks: _Chunks, reader: _ThreadReader) -> str | None:
        time.sleep(chunks.rest_s)
        return reader.take(chunks.silence_s)

    def _finish(self, chunks: _Chunks, options: RequestOptions | None = None) -> str:
        time.sleep(chunks.rest_s)
        return self._finished(self._send(chunks, {"final": True}, options))

    def _send(
        self, chunks: _Chunks, members: Mapping[str, Any], options: RequestOptions | None = None
    ) -> StreamChunkResult:
        result = self._transport.json(
            StreamChunkResult, chunks.next(members), chunks.options if options is None else options
        )
        chunks.answered()
        return result


class _ThreadReader:
    """Reads on while a chunk is under way, and hands out together what came meanwhile."""

    def __init__(self, source: Iterable[str]) -> None:
        self.ahead = _Ahead()
        self._source = source
        self._changed = threading.Condition()
        # What the source asks of its context is that of whoever goes over the stream.
        context = contextvars.copy_context()
        self._thread = threading.Thread(
            target=context.run, args=(self._read_all,), name="svc-guard-stream", daemon=True
        )
        self._thread.start()

    def take(self, timeout_s: float) -> str | None:
        """
        What came since; waits for something, and is empty where nothing came in time. ``None``: that was all,
        or the source failed.
        """
        with self._changed:
            self._changed.wait_for(lambda: not self.ahead.is_empty or self.ahead.is_over, timeout_s)
            taken = None if self.ahead.is_empty and self.ahead.is_over else self.ahead.take()
            self._changed.notify_all()
            return taken

    def stop(self) -> None:
        """Nothing more is wanted. A source that is in the midst of a piece is closed after it."""
        with self._changed:
            self.ahead.is_closed = True
            self._changed.notify_all()

    def close(self) -> None:
        """Stops, and waits a little for the source to be closed."""
        self.stop()
        self._thread.join(_CLOSE_WAIT_S)

    def _read_all(self) -> None:
        fault: BaseException | None = None
        iterator: Iterator[str] | None = None
        try:
            iterator = iter(self._source)
            while self._add(next(iterator)):
                pass
        except StopIteration:
            iterator = None
        except BaseException as error:
            # Also what would end the program: whoever goes over the stream would wait for ever.
            fault = error
        # Whatever a source has to say about its end comes too late to matter.
        with contextlib.suppress(BaseException):
            for opened in () if iterator is None else (iterator, self._source):
                if callable(close := getattr(opened, "close", None)):
                    close()
        with self._changed:
            self.ahead.fault = fault
            self.ahead.is_over = True
            self._changed.notify_all()

    def _add(self, piece: str) -> bool:
        """False: nothing more is wanted."""
        with self._changed:
            if not self.ahead.is_closed:
                self.ahead.add(piece)
                self._changed.notify_all()
                self._changed.wait_for(lambda: not self.ahead.is_full or self.ahead.is_closed)
            return not self.ahead.is_closed


class AsyncGuardedStream(_Guarded):
    """
    What may be shown of a model's answer: go over it once, with ``async for``. It ends early where the answer
    is blocked; where the question is, it is empty, and the source is never touched. ``outcome`` tells which.
    What the source raises is raised again, after all that may be shown of what came before. Leave the loop,
    and the source is closed and the stream is recorded as far as it came; at once if it is a
    ``contextlib.aclosing``.

    The source is read in a task of its own, so that the model does not wait for the network.
    """

    def __init__(
        self,
        transport: AsyncTransport,
        source: AsyncIterable[str],
        inference: Mapping[str, Any],
        options: RequestOptions | None = None,
    ) -> None:
        super().__init__(inference, options)
        self._transport = transport
        # A text is one piece.
        self._source = _one_piece(source) if isinstance(source, str) else source
        if not isinstance(self._source, AsyncIterable):
            raise SvcError(
                f"The source of a guarded stream must be an async iterable; {type(source).__name__} is not."
            )
        self._running: AsyncGenerator[str, None] | None = None

    def __aiter__(self) -> AsyncIterator[str]:
        self._start()
        self._running = self._run()
        return self._running

    async def aclose(self) -> None:
        """Ends it early, wherever it is: closes the source, and has the stream recorded as far as it came."""
        self._is_started = True
        if self._running is not None:
            await self._running.aclose()

    async def _run(self) -> AsyncGenerator[str, None]:
        opened = await self._transport.json(Stream, self._opening(), self._options)
        if not self._opened(opened):
            return
        chunks = _Chunks(opened.id, self._options, self._transport.rules.timeout_ms)
        reader = _TaskReader(self._source)
        is_blocked = False
        try:
            while not is_blocked and (delta := await self._take(chunks, reader)) is not None:
                result = await self._send(chunks, {"delta": delta} if delta else {})
                is_blocked = result.outcome == "blocked"
                if result.released:
                    yield result.released
            # It does not matter how the source of an answer that is blocked would have ended.
            fault = None if is_blocked else reader.ahead.fault
            reader.stop()
            released = ""
            with contextlib.suppress(*([SvcError] if fault is not None else [])):
                released = await self._finish(chunks, None if fault is None else chunks.once)
            if released:
                yield released
            if fault is not None:
                raise fault
        except GeneratorExit:
            reader.stop()
            if not chunks.has_ended:
                # Whoever stopped listening need not wait for the minute after which it is recorded anyway.
                with contextlib.suppress(SvcError):
                    await self._finish(chunks, chunks.once)
            raise
        finally:
            await reader.close()

    async def _take(self, chunks: _Chunks, reader: _TaskReader) -> str | None:
        await asyncio.sleep(chunks.rest_s)
        return await reader.take(chunks.silence_s)

    async def _finish(self, chunks: _Chunks, options: RequestOptions | None = None) -> str:
        await asyncio.sleep(chunks.rest_s)
        return self._finished(await self._send(chunks, {"final": True}, options))

    async def _send(
        self, chunks: _Chunks, members: Mapping[str, Any], options: RequestOptions | None = None
    ) -> StreamChunkResult:
        result = await self._transport.json(
            StreamChunkResult, chunks.next(members), chunks.options if options is None else options
        )
        chunks.answered()
        return result


async def _one_piece(text: str) -> AsyncIterator[str]:
    yield text


class _TaskReader:
    """Reads on while a chunk is under way, and hands out together what came meanwhile."""

    def __init__(self, source: AsyncIterable[str]) -> None:
        self.ahead = _Ahead()
        self._source = source
        self._came = asyncio.Event()
        self._has_room = asyncio.Event()
        self._task = asyncio.create_task(self._read_all(), name="svc-guard-stream")

    async def take(self, timeout_s: float) -> str | None:
        """
        What came since; waits for something, and is empty where nothing came in time. ``None``: that was all,
        or the source failed.
        """
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self._something(), timeout_s)
        taken = None if self.ahead.is_empty and self.ahead.is_over else self.ahead.take()
        self._has_room.set()
        return taken

    async def _something(self) -> None:
        # A piece may be empty.
        while self.ahead.is_empty and not self.ahead.is_over:
            self._came.clear()
            await self._came.wait()

    def stop(self) -> None:
        """Nothing more is wanted."""
        if not self.ahead.is_closed:
            self.ahead.is_closed = True
            self._task.cancel()

    async def close(self) -> None:
        """Stops, and waits a little for the source to be closed."""
        self.stop()
        await asyncio.wait([self._task], timeout=_CLOSE_WAIT_S)

    async def _read_all(self) -> None:
        iterator: AsyncIterator[str] | None = None
        try:
            iterator = aiter(self._source)
            while True:
                self.ahead.add(await anext(iterator))
                self._came.set()
                while self.ahead.is_full:
                    self._has_room.clear()
                    await self._has_room.wait()
        except StopAsyncIteration:
            iterator = None
        except BaseException as error:
            # Also what would end the program, and a cancellation that is the source's own.
            if not self.ahead.is_closed:
                self.ahead.fault = error
        finally:
            # Whatever a source has to say about its end comes too late to matter.
            with contextlib.suppress(BaseException):
                for opened in () if iterator is None else (iterator, self._source):
                    close: Any = getattr(opened, "aclose", None)
                    if close is not None:
                        await close()
            self.ahead.is_over = True
            self._came.set()
