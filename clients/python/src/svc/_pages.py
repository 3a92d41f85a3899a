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
        call: Call | None = self._call
        while call is not None:
            page = _page(self._kind, self._fetch(call))
            yield page
            call = _next(call, page)

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
        call: Call | None = self._call
        while call is not None:
            page = _page(self._kind, await self._fetch(call))
            yield page
            call = _next(call, page)

    async def first_page(self) -> Page[Item]:
        """Without asking for more."""
        return _page(self._kind, await self._fetch(self._call))


def _page(kind: type[Item], value: dict[str, Any]) -> Page[Item]:
    data = value.get("data")
    if not isinstance(data, list):
        raise SvcError("The service answered with what is not a page of a list. Is base_url right?")
    items = [read(kind, item) for item in data if isinstance(item, dict)]
    cursor = value.get("next_cursor")
    return Page(
        data=items,
        has_more=value.get("has_more") is True,
        next_cursor=cursor if isinstance(cursor, str) else None,
        raw=value,
    )


def _next(call: Call, page: Page[Item]) -> Call | None:
    if not page.has_more:
        return None
    query = call.query or {}
    # A feed has no cursors: it goes on after what came.
    name = "after_sequence" if isinstance(query.get("after_sequence"), int) else "cursor"
    position = page.next_cursor if name == "cursor" else _last_sequence(page)
    if position is None:
        return None
    if query.get(name) == position:
        # Else it would go on for ever.
        raise SvcError("The service answered the same page again.")
    return dataclasses.replace(call, query={**query, name: position})


def _last_sequence(page: Page[Item]) -> int | None:
    sequence = page.data[-1].raw.get("sequence") if page.data else None
    return sequence if isinstance(sequence, int) else None
