"""
Slips of the pen that a type checker has to find: where it does not, its ``type: ignore`` is one too many, and
that is an error.
"""

from __future__ import annotations

from svc import AsyncSvc, Svc


def slips(client: Svc) -> None:
    client.assess(inptu="Hello")  # type: ignore[call-arg]
    client.assess(model={"nam": "gpt"})  # type: ignore[arg-type]
    print(client.assess(input="Hello").outcom)  # type: ignore[attr-defined]
    client.webhooks.create(url="https://example.com")  # type: ignore[call-arg]
    client.webhooks.create(url="https://example.com", events=["inference.blokced"])  # type: ignore[list-item]
    client.webhooks.update("wh_1", url=None)  # type: ignore[arg-type]
    client.events.list(kind="nothing")  # type: ignore[arg-type]
    client.events.get("evt_1", options={"timeout": 1})  # type: ignore[arg-type]
    client.health.get().status = "other"  # type: ignore[misc]


async def slips_of_tasks(client: AsyncSvc) -> None:
    (await client.events.list())  # type: ignore[misc]
    print(client.assess(input="Hello").outcome)  # type: ignore[attr-defined]
