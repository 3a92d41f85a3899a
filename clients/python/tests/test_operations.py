"""Methods against api/openapi.json: nothing is missing, and nothing goes elsewhere than it is declared."""

from __future__ import annotations

import asyncio
import inspect
import json
import re
from pathlib import Path
from typing import Any

import httpx
import pytest
from conftest import whole

import svc

DOCUMENT = json.loads((Path(__file__).parents[3] / "api" / "openapi.json").read_text())
# For vendors' own clients, for browsers, which keep cookies, and for what other libraries speak.
LEFT_OUT = {
    "openBrowserSession",
    "getBrowserSession",
    "endBrowserSession",
    "startSignIn",
    "finishSignIn",
    "getSigningKeys",
    "exportTraces",
}
OPERATIONS = {
    (method.upper(), path): operation
    for path, methods in DOCUMENT["paths"].items()
    for method, operation in methods.items()
    if operation["operationId"] not in LEFT_OUT and operation["tags"] != ["Gateways"]
}
RESOURCES = [name for name in vars(svc.Svc(api_key="k")) if name != "_transport"]
METHODS = [
    (resource, name)
    for resource in RESOURCES
    for name, _ in inspect.getmembers(getattr(svc.Svc(api_key="k"), resource), inspect.ismethod)
    if name != "__init__"
]


def arguments_of(method: Any) -> tuple[list[Any], dict[str, Any]]:
    """One for each parameter, by which it is known again."""
    parameters = inspect.signature(method).parameters.values()
    places = [
        {"policy": True} if one.name == "policy" else f"p_{one.name}"
        for one in parameters
        if one.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
    ]
    keywords = [one.name for one in parameters if one.kind is inspect.Parameter.KEYWORD_ONLY]
    return places, {name: f"v_{name.rstrip('_')}" for name in keywords if name != "options"}


def answer_of(method: Any) -> httpx.Response:
    """The least that is an answer of this method."""
    kind = inspect.signature(method).return_annotation.removeprefix("types.")
    page = {"data": [], "has_more": False, "next_cursor": None}
    return httpx.Response(200, json=whole(getattr(svc.types, kind)) if hasattr(svc.types, kind) else page)


def sent_by(resource: str, name: str) -> httpx.Request:
    requests: list[httpx.Request] = []

    def record(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        return answer_of(method)

    http_client = httpx.Client(transport=httpx.MockTransport(record))
    with svc.Svc(api_key="k", http_client=http_client) as client:
        method = getattr(getattr(client, resource), name)
        places, keywords = arguments_of(method)
        settle(method(*places, **keywords))
    return requests[0]


def settle(value: Any) -> None:
    if isinstance(value, svc.Pages):
        value.first_page()
    elif isinstance(value, svc.Download):
        value.read()


async def sent_by_async(resource: str, name: str) -> httpx.Request:
    requests: list[httpx.Request] = []

    def record(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        return answer_of(method)

    http_client = httpx.AsyncClient(transport=httpx.MockTransport(record))
    async with svc.AsyncSvc(api_key="k", http_client=http_client) as client:
        method = getattr(getattr(client, resource), name)
        places, keywords = arguments_of(method)
        value = method(*places, **keywords)
        if isinstance(value, svc.AsyncPages):
            await value.first_page()
        elif isinstance(value, svc.AsyncDownload):
            await value.read()
        else:
            await value
    return requests[0]


def operation_of(request: httpx.Request) -> tuple[str, str]:
    path = request.url.path
    for method, template in OPERATIONS:
        pattern = re.sub(r"\\\{(\w+)\\\}", r"p_\1", re.escape(template))
        if method == request.method and re.fullmatch(pattern, path):
            return method, template
    raise AssertionError(f"{request.method} {path} is no operation")


def schema_of(operation: Any) -> Any:
    schema = operation["requestBody"]["content"]["application/json"]["schema"]
    return DOCUMENT["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]] if "$ref" in schema else schema


@pytest.mark.parametrize(("resource", "name"), METHODS)
def test_a_method_sends_what_its_operation_declares(resource: str, name: str) -> None:
    request = sent_by(resource, name)
    operation = OPERATIONS[operation_of(request)]
    parameters = {one["name"]: one for one in operation.get("parameters", [])}
    query = {one for one, parameter in parameters.items() if parameter["in"] == "query"}
    sent = dict(request.url.params)
    fixed = {"format": "html"} if name.endswith("_page") else {}
    assert sent == {**{one: f"v_{one}" for one in query - {"format"}}, **fixed}
    assert ("Idempotency-Key" in request.headers) == ("Idempotency-Key" in parameters)
    if "requestBody" not in operation:
        assert request.content == b""
        return
    body = json.loads(request.content)
    if body == {"policy": True}:
        assert schema_of(operation)["title"] == "Policy" if "title" in schema_of(operation) else True
        return
    assert body == {member: f"v_{member}" for member in schema_of(operation)["properties"]}


@pytest.mark.parametrize(("resource", "name"), METHODS)
def test_what_may_be_left_out_is_what_is_not_required(resource: str, name: str) -> None:
    operation = OPERATIONS[operation_of(sent_by(resource, name))]
    required = {one["name"] for one in operation.get("parameters", []) if one.get("required")}
    if "requestBody" in operation:
        required |= set(schema_of(operation).get("required", []))
    with svc.Svc(api_key="k") as client:
        parameters = inspect.signature(getattr(getattr(client, resource), name)).parameters.values()
    needed = {one.name.rstrip("_") for one in parameters if one.default is inspect.Parameter.empty}
    assert needed - {"policy"} == required - {"policy"}


def test_every_operation_has_a_method() -> None:
    assert {operation_of(sent_by(*method)) for method in METHODS} == set(OPERATIONS)


def test_the_client_for_asyncio_sends_the_same() -> None:
    async def go() -> None:
        for resource, name in METHODS:
            one, other = sent_by(resource, name), await sent_by_async(resource, name)
            assert (one.method, one.url, one.content) == (other.method, other.url, other.content)

    asyncio.run(go())
