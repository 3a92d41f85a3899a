"""Answers as frozen dataclasses, read from JSON as tolerantly as it goes."""

from __future__ import annotations

import functools
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, TypeVar

from ._generated.deciding import DECIDING


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """An answer, or a part of one. What this version of the library does not know of it is in ``raw``."""

    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The JSON object as it came."""


Answer = TypeVar("Answer", bound=Model)
_Reader = Callable[[Any], Any]
# How JSON says what is declared as a text, a list, ….
_SHAPES: Mapping[Any, tuple[type, ...]] = {
    str: (str,),
    int: (int, float),
    float: (int, float),
    bool: (bool,),
    list: (list,),
    dict: (dict,),
}


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


_DEMANDED: dict[type[Model], Mapping[str, tuple[type, ...]]] = {}


def demanded(kind: type[Model]) -> Mapping[str, tuple[type, ...]]:
    """The members that are never absent or ``null``, by name on the wire, and what they are in JSON."""
    members = _DEMANDED.get(kind)
    if members is None:
        hints = typing.get_type_hints(kind)
        names = [member.name for member in fields(kind) if member.name != "raw"]
        shapes = {name.rstrip("_"): _shape(hints[name]) for name in names}
        members = _DEMANDED[kind] = {name: shape for name, shape in shapes.items() if shape is not None}
    return members


def _shape(hint: Any) -> tuple[type, ...] | None:
    return (dict,) if is_dataclass(hint) else _SHAPES.get(typing.get_origin(hint) or hint)


def missing(kind: type[Model], value: Mapping[str, Any]) -> list[str]:
    """Names of members without which such an answer decides nothing, and that this one has not, or as something else.

    Others may be missing, of a service that is older than this library.
    """
    deciding = DECIDING.get(kind.__name__, ())
    return [
        name for name, shape in demanded(kind).items() if name in deciding and not isinstance(value.get(name), shape)
    ]


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
