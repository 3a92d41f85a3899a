"""A server that answers as a test says, in a thread of its own."""

from __future__ import annotations

import json
import socketserver
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest

from svc import Model, types
from svc._models import demanded


def whole(answer: type[Model], /, **members: Any) -> dict[str, Any]:
    """The least JSON that is such an answer, but for ``members``."""
    return {**{name: shapes[0]() for name, shapes in demanded(answer).items()}, **members}


EVENT = whole(types.Event, id="evt_1", kind="inference.allowed")
ASSESSMENT = whole(types.Assessment, id="asm_1", outcome="allowed")


@dataclass
class Seen:
    method: str
    path: str
    headers: dict[str, str]
    body: Any


Answer = tuple[int, Any]
Script = Callable[["Handler", Seen], Answer | None]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def handle_any(self) -> None:
        length = int(self.headers.get("content-length") or 0)
        body = self.rfile.read(length)
        seen = Seen(self.command, self.path, dict(self.headers.items()), json.loads(body) if body else None)
        self.server.seen.append(seen)
        self.server.has_seen.set()
        answer = self.server.script(self, seen)
        if answer is not None:
            self.answer(*answer)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any

    def answer(self, status: int, body: Any) -> None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def is_gone(self, timeout_s: float = 5) -> bool:
        """Waits until the other side has closed the connection."""
        self.connection.settimeout(timeout_s)
        try:
            return len(self.connection.recv(1)) == 0
        except TimeoutError:
            return False
        except OSError:
            return True

    def log_message(self, format: str, *args: Any) -> None:
        pass


@dataclass
class Server(socketserver.ThreadingTCPServer):
    script: Script
    seen: list[Seen] = field(default_factory=list)
    has_seen: threading.Event = field(default_factory=threading.Event)
    daemon_threads = True
    request_queue_size = 100

    def __post_init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A connection that breaks off is what some tests are about."""

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


@pytest.fixture
def serve() -> Iterator[Callable[[Script], Server]]:
    servers = []

    def start(script: Script) -> Server:
        server = Server(script)
        servers.append(server)
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        return server

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()
