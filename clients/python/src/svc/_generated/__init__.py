"""Generated from api/openapi.json by scripts/clients: change that, not this."""
