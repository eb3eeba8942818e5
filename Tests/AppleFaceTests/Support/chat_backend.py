#!/usr/bin/env python3
"""What the example's app asks its own service, on loopback.

  chat_backend.py FOLDER

Answers `bundles` with the file FOLDER/bundles, everything else with nothing, writes a line for each request to FOLDER/requests, and
prints its port.
"""

import http.server
import os
import sys
import threading


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *arguments):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        name = self.path.rsplit("/", 1)[-1]
        said = body.decode() if name == "acknowledge" else ""
        with open(os.path.join(sys.argv[1], "requests"), "a") as f:
            f.write(("%s %s %s" % (name, self.headers.get("Authorization"), said)).rstrip() + "\n")
        answer = b""
        bundles = os.path.join(sys.argv[1], "bundles")
        if name == "bundles" and os.path.exists(bundles):
            with open(bundles, "rb") as f:
                answer = f.read()
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
# Ends with whoever started it.
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
