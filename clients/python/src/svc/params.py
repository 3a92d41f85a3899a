"""What requests are made of: dictionaries with known members, by their names in the API reference."""

from ._generated.params import *  # noqa: F403
from ._generated.params import __all__ as __all__
