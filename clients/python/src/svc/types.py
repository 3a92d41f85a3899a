"""Answers of the API: frozen dataclasses, by their names in the API reference."""

from ._generated.types import *  # noqa: F403
from ._generated.types import __all__ as __all__
