"""What the mod asks: HTTP on loopback, one question after the other, with a word that only the mod knows."""

from __future__ import annotations

import hmac
import http.server
import json
import secrets
import threading
from typing import Any, Callable, Dict, Optional

Document = Dict[str, Any]
#: No question is as long as this.
LONGEST = 4_000_000


class Loopback:
    """Answers the mod's questions in a thread of its own. To be used with `with`."""

    def __init__(self, answer: Callable[[Document], Document], port: int = 0, token: Optional[str] = None) -> None:
        self.token = token or secrets.token_hex(16)
        #: What went wrong while answering; the mod was told no more than that something did.
        self.error: Optional[BaseException] = None
        outer, one_at_a_time = self, threading.Lock()

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:  # noqa: N802  The name is the library's.
                given = self.headers.get("X-Apprentice-Token", "")
                size = self.headers.get("Content-Length", "")
                if not hmac.compare_digest(given.encode(), outer.token.encode()):
                    self._reply(403, b"")
                elif not size.isdigit() or int(size) > LONGEST:
                    self._reply(413, b"")
                else:
                    self._answered(self.rfile.read(int(size)))

            def _answered(self, question: bytes) -> None:
                try:
                    with one_at_a_time:
                        reply = json.dumps(answer(json.loads(question))).encode()
                except Exception as error:  # It is for whoever waits for the end, not for the mod.
                    outer.error = error
                    self._reply(500, b"")
                else:
                    self._reply(200, reply)

            def _reply(self, code: int, body: bytes) -> None:
                head = f"HTTP/1.1 {code} -\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
                self.close_connection = code != 200
                # In one piece, so that nothing waits for an acknowledgement.
                self.wfile.write(head.encode() + b"\r\n" + body)

            def log_message(self, *_: Any) -> None:
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._server.daemon_threads = True
        self.port: int = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def __enter__(self) -> "Loopback":
        self._thread.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._server.shutdown()
        self._server.server_close()
