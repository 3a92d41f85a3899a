"""Base64 as it is written, and no other way."""

from __future__ import annotations

import base64


def base64_bytes(text: str) -> bytes | None:
    """``None`` for what is not base64; of the texts that mean the same bytes only one is taken."""
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        return None
    return data if base64.b64encode(data).decode() == text else None
