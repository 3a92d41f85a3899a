"""Answers as frozen dataclasses, read from JSON as tolerantly as it goes."""

from __future__ import annotations

import functools
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, TypeVar


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """An answer, or a part of one. What this version of the library does not know of it is in ``raw``."""

    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The JSON object as it came."""


Answer = TypeVar("Answer", bound=Model)
_Reader = Callable[[Any], Any]


def read(kind: type[Answer], value: Mapping[str, Any]) -> Answer:
    """
    An answer from its JSON object. Members that are unknown are left in ``raw``, those that are missing are
    ``None``, and a value of another shape than was declared stays as it came: a newer service is no error.
    """
    return kind(raw=value, **{name: reader(value.get(wire)) for name, wire, reader in _members(kind)})


_Members = tuple[tuple[str, str, _Reader], ...]
_MEMBERS: dict[type[Model], _Members] = {}


def _members(kind: type[Model]) -> _Members:
    """Of each field: its name, its name on the wire, and how its value is read. Found out once."""
    members = _MEMBERS.get(kind)
    if members is None:
        hints = typing.get_type_hints(kind)
        # A name that Python reserves has an underscore behind it.
        members = _MEMBERS[kind] = tuple(
            (member.name, member.name.rstrip("_"), _reader(hints[member.name]))
            for member in fields(kind)
            if member.name != "raw"
        )
    return members


def _reader(hint: Any) -> _Reader:
    arguments = typing.get_args(hint)
    origin = typing.get_origin(hint)
    if origin is types.UnionType or origin is typing.Union:
        return _of_any(tuple(reader for reader in map(_reader, arguments) if reader is not _as_it_came))
    if is_dataclass(hint):
        return functools.partial(_read_object, hint)
    if origin is list:
        return _of_items(_reader(arguments[0]))
    if origin is dict:
        return _of_values(_reader(arguments[1]))
    return _as_it_came


def _as_it_came(value: Any) -> Any:
    return value


def _read_object(kind: Any, value: Any) -> Any:
    return read(kind, value) if isinstance(value, dict) else value


def _of_items(reader: _Reader) -> _Reader:
    if reader is _as_it_came:
        return _as_it_came
    return lambda value: [reader(item) for item in value] if isinstance(value, list) else value


def _of_values(reader: _Reader) -> _Reader:
    if reader is _as_it_came:
        return _as_it_came
    return lambda value: {k: reader(v) for k, v in value.items()} if isinstance(value, dict) else value


def _of_any(readers: tuple[_Reader, ...]) -> _Reader:
    """Each reader leaves alone what is not of its shape, and a shape belongs to one of them."""
    if not readers:
        return _as_it_came
    if len(readers) == 1:
        return readers[0]

    def read_any(value: Any) -> Any:
        for reader in readers:
            answer = reader(value)
            if answer is not value:
                return answer
        return value

    return read_any
