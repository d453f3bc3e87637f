"""A small server of OpenAI's two completion endpoints that fails as it is told to."""

import json
import threading
import time
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final, Literal


Fault = Literal["500", "cut", "half", "drop", "null", "no choices"]

SECONDS: Final = 0.05  # for each answer, so that requests are under way together
BROKEN: Final = "the model fell over"


def answer_to(asked: Any) -> str:
    """Return the answer to a prompt or to messages: another one to each."""
    text = json.dumps(asked, sort_keys=True)
    return f"The answer is: {zlib.crc32(text.encode())}"


@dataclass
class Faulty:
    """What the server does, and what it was asked."""

    # Called with the number of a request, from 1, and with what it asks.
    fault: Callable[[int, Any], Fault | None] = lambda number, asked: None
    address: str = ""
    bodies: list[dict[str, Any]] = field(default_factory=list)
    most_at_once: int = 0
    _at_once: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def begin(self, body: dict[str, Any]) -> int:
        with self._lock:
            self.bodies.append(body)
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
            return len(self.bodies)

    def end(self) -> None:
        with self._lock:
            self._at_once -= 1


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_state: Faulty

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        body = json.loads(self.rfile.read(length))
        number = self.server_state.begin(body)
        time.sleep(SECONDS)
        # Before the answer, after which the client may ask the next.
        self.server_state.end()
        asked = body["messages"] if "messages" in body else body["prompt"]
        self._answer(body, asked, self.server_state.fault(number, asked))

    def log_message(self, *_: object) -> None:
        """Keep the test's output clean."""

    def _answer(self, body: Mapping[str, Any], asked: Any, fault: Fault | None) -> None:
        self.close_connection = True
        if fault == "drop":
            return
        text = None if fault == "null" else answer_to(asked)
        said = {"message": {"content": text}} if "messages" in body else {"text": text}
        reply: dict[str, Any] = {"choices": [{"index": 0, **said}]}
        if fault == "500":
            reply = {"error": BROKEN}
        elif fault == "no choices":
            reply = {"error": "blocked by a filter"}
        content = json.dumps(reply).encode()
        if fault == "half":
            content = content[: len(content) // 2]
        self.send_response(500 if fault == "500" else 200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(content[: len(content) // 2] if fault == "cut" else content)


class Running:
    """The server in a thread of its own, until it is stopped."""

    def __init__(self) -> None:
        self.state = Faulty()
        handler = type("Handler", (_Handler,), {"server_state": self.state})
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.state.address = f"http://127.0.0.1:{self._http.server_port}/v1"
        self._thread = threading.Thread(
            target=self._http.serve_forever, args=(0.01,), daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()
