"""Answers are read whatever their shape."""

from __future__ import annotations

import dataclasses
import random
import types
import typing
from typing import Any

import pytest

from svc import Model
from svc import types as answers
from svc._models import read

KINDS: list[type[Model]] = [getattr(answers, name) for name in answers.__all__]


def shape(hint: Any, rng: random.Random, depth: int = 0) -> Any:
    """JSON as it is declared, with members that nobody knows yet."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (types.UnionType, typing.Union):
        return shape(rng.choice(arguments), rng, depth)
    if dataclasses.is_dataclass(hint):
        hints = typing.get_type_hints(hint)
        names = [field.name for field in dataclasses.fields(hint) if field.name != "raw"]
        members = {name.rstrip("_"): shape(hints[name], rng, depth + 1) for name in names}
        return {**members, "of_tomorrow": {"a": [1]}}
    if origin is list:
        return [shape(arguments[0], rng, depth + 1) for _ in range(rng.randrange(3) if depth < 4 else 0)]
    if origin is dict:
        return {"any key": shape(arguments[1], rng, depth + 1)} if depth < 4 else {}
    return {str: "text", int: 7, float: 0.5, bool: True, type(None): None, Any: {"x": [None]}}[hint]


def fits(value: Any, hint: Any) -> bool:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (types.UnionType, typing.Union):
        return any(fits(value, one) for one in arguments)
    if dataclasses.is_dataclass(hint):
        hints = typing.get_type_hints(hint)
        fields = [field.name for field in dataclasses.fields(hint)]
        return isinstance(value, typing.cast(type, hint)) and all(
            fits(getattr(value, name), hints[name]) for name in fields if name != "raw"
        )
    if origin is list:
        return isinstance(value, list) and all(fits(item, arguments[0]) for item in value)
    if origin is dict:
        return isinstance(value, dict) and all(fits(item, arguments[1]) for item in value.values())
    return hint is Any or type(value) is hint


def noise(rng: random.Random, depth: int = 0) -> Any:
    """Any JSON."""
    choices: list[Any] = [None, True, 0, -1.5, "", "text", "\ud83d", 10**30]
    if depth < 3:
        choices += [
            [noise(rng, depth + 1) for _ in range(3)],
            {name: noise(rng, depth + 1) for name in ("id", "data", "from", "raw", "self", "new")},
        ]
    return rng.choice(choices)


CASES = [(kind, seed) for kind in KINDS for seed in range(6)]


def test_an_answer_as_declared_is_read_as_declared() -> None:
    for kind, seed in CASES:
        value = shape(kind, random.Random(seed))
        answer = read(kind, value)
        assert fits(answer, kind), f"{kind.__name__}, seed {seed}"
        assert answer.raw == value
        assert answer == read(kind, value)


def test_an_answer_of_any_other_shape_is_no_error() -> None:
    for kind, seed in CASES:
        names = [field.name.rstrip("_") for field in dataclasses.fields(kind) if field.name != "raw"]
        rng = random.Random(seed)
        value = {name: noise(rng) for name in names if rng.random() < 0.7}
        answer = read(kind, value)
        repr(answer)
        for name in set(names) - set(value):
            assert getattr(answer, name if hasattr(answer, name) else f"{name}_") is None


def test_an_answer_cannot_be_changed() -> None:
    health = read(answers.Health, {"status": "ok"})
    with pytest.raises(dataclasses.FrozenInstanceError):
        health.status = "other"  # type: ignore[misc]
