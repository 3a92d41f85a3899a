"""What was not given: absent, which is not ``None``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final


class Omit:
    """The type of ``omit``, the default of what may be left out of a request."""

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "omit"


omit: Final = Omit()
"""Leaves a member out of a request. ``None`` is sent as ``null``."""


def given(members: Mapping[str, object]) -> dict[str, Any]:
    """Without what was not given."""
    return {name: value for name, value in members.items() if not isinstance(value, Omit)}
