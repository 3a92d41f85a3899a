"""Generated from api/openapi.json by scripts/clients: change that, not this."""

# Members without which an answer decides nothing, by its type.
DECIDING = {
    "Assessment": ("id", "outcome"),
    "Stream": ("id", "assessment"),
    "StreamChunkResult": ("released", "outcome"),
}
