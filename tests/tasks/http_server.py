"""A local HTTP server that answers as told, also wrongly, and counts what it is asked."""

import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True)
class Reply:
    """What a path answers."""

    body: bytes = b""
    status: int = 200
    head_status: int | None = None  # to HEAD, where that differs
    cut_off: bool = False  # promise the whole body and send half of it
    seconds: float = 0.0  # before the answer


@dataclass
class Server:
    """The server's address, its answers by path, and the requests so far."""

    address: str
    replies: dict[str, Reply] = field(default_factory=dict)
    requests: list[tuple[str, str]] = field(default_factory=list)

    def url(self, path: str, reply: Reply) -> str:
        """Serve a reply under a path and return its URL."""
        self.replies[f"/{path}"] = reply
        return f"{self.address}/{path}"

    def count(self, method: str = "GET") -> int:
        return sum(asked == method for asked, _ in self.requests)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wanted: Server

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def log_message(self, *_: object) -> None:
        """Keep the test's output clean."""

    def _answer(self, *, with_body: bool) -> None:
        self.wanted.requests.append((self.command, self.path))
        reply = self.wanted.replies.get(self.path, Reply(b"not here", 404))
        time.sleep(reply.seconds)
        status = reply.status
        if not with_body and reply.head_status is not None:
            status = reply.head_status
        self.send_response(status)
        self.send_header("Content-Length", str(len(reply.body)))
        self.send_header("Connection", "close")
        self.end_headers()
        if with_body:
            end = len(reply.body) // 2 if reply.cut_off else len(reply.body)
            self.wfile.write(reply.body[:end])
        self.close_connection = True


class Running:
    """A server in a thread of its own, until it is stopped."""

    def __init__(self) -> None:
        handler = type("Handler", (_Handler,), {})
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.server = Server(f"http://127.0.0.1:{self._http.server_port}")
        handler.wanted = self.server
        self._thread = threading.Thread(
            target=self._http.serve_forever, args=(0.01,), daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        if self._thread.is_alive():
            self._http.shutdown()
            self._http.server_close()
            self._thread.join()
