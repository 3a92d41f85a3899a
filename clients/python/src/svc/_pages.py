"""Lists: go over one for all that there is, or take its first page."""

from __future__ import annotations

import dataclasses
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from ._errors import SvcError
from ._models import Model, read
from ._requests import Call

Item = TypeVar("Item", bound=Model)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page(Generic[Item]):
    """One page of a list."""

    data: list[Item]
    has_more: bool
    """More follow after the last one."""
    next_cursor: str | None
    """Pass as ``cursor`` to go on."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The JSON object as it came."""


class Pages(Generic[Item]):
    """``for item in pages`` asks for further pages as they are needed, each time from the beginning."""

    def __init__(self, fetch: Callable[[Call], dict[str, Any]], kind: type[Item], call: Call) -> None:
        self._fetch = fetch
        self._kind = kind
        self._call = call

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from page.data

    def pages(self) -> Iterator[Page[Item]]:
        """Page by page."""
        calls = _Calls(self._call)
        while calls.next is not None:
            page = _page(self._kind, self._fetch(calls.next))
            yield page
            calls.go_on_after(page)

    def first_page(self) -> Page[Item]:
        """Without asking for more."""
        return _page(self._kind, self._fetch(self._call))


class AsyncPages(Generic[Item]):
    """``async for item in pages`` asks for further pages as they are needed, each time from the beginning."""

    def __init__(
        self, fetch: Callable[[Call], Awaitable[dict[str, Any]]], kind: type[Item], call: Call
    ) -> None:
        self._fetch = fetch
        self._kind = kind
        self._call = call

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for page in self.pages():
            for item in page.data:
                yield item

    async def pages(self) -> AsyncIterator[Page[Item]]:
        """Page by page."""
        calls = _Calls(self._call)
        while calls.next is not None:
            page = _page(self._kind, await self._fetch(calls.next))
            yield page
            calls.go_on_after(page)

    async def first_page(self) -> Page[Item]:
        """Without asking for more."""
        return _page(self._kind, await self._fetch(self._call))


def _page(kind: type[Item], value: dict[str, Any]) -> Page[Item]:
    data = value.get("data")
    if not isinstance(data, list) or not all(isinstance(item, dict) for item in data):
        raise SvcError("The service answered with success, but not with a page of a list. Is base_url right?")
    cursor = value.get("next_cursor")
    return Page(
        data=[read(kind, item) for item in data],
        has_more=value.get("has_more") is True,
        next_cursor=cursor if isinstance(cursor, str) and cursor else None,
        raw=value,
    )


class _Calls:
    """The calls for one page after the other."""

    def __init__(self, first: Call) -> None:
        self.next: Call | None = first
        """``None``: that was all."""
        self._query = dict(first.query or {})
        # A feed has no cursors: it goes on after what came.
        self._is_feed = isinstance(self._query.get("after_sequence"), int)
        self._name = "after_sequence" if self._is_feed else "cursor"
        self._seen = {self._query.get(self._name)}

    def go_on_after(self, page: Page[Any]) -> None:
        position = _last_sequence(page) if self._is_feed else page.next_cursor
        if self.next is None or not page.has_more or (self._is_feed and position is None):
            self.next = None
            return
        if position is None:
            raise SvcError("The service answered that more follows, but not how to ask for it.")
        if position in self._seen:
            # Else it would go on for ever.
            raise SvcError("The service answered a page again that it has answered before.")
        self._seen.add(position)
        self.next = dataclasses.replace(self.next, query={**self._query, self._name: position})


def _last_sequence(page: Page[Any]) -> int | None:
    sequence = page.data[-1].raw.get("sequence") if page.data else None
    return sequence if isinstance(sequence, int) else None
