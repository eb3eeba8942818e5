#!/usr/bin/env python3
"""A web server on loopback that serves images well and badly, over https with a certificate of its own authority.

  image_server.py FOLDER

Makes the authority in FOLDER (ca.pem), serves what is asked for by path, and prints its port. Files put into FOLDER/files are served
as they are. Needs the openssl program.
"""

import base64
import http.server
import os
import ssl
import subprocess
import sys
import time

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")


def certificates(folder):
    def openssl(*arguments):
        subprocess.run(("openssl",) + arguments, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
    openssl("req", "-x509", *key, "-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", "/CN=Test authority")
    openssl("req", *key, "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=localhost")
    with open(os.path.join(folder, "names"), "w") as f:
        f.write("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
    openssl("x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-out", "server.pem", "-days", "2",
            "-extfile", "names")


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def answer(self, status, headers=(), body=b"", length=None):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)
        self.close_connection = True

    def do_GET(self):
        try:
            self.serve()
        except (BrokenPipeError, ConnectionResetError, ssl.SSLError):
            pass

    def serve(self):
        path = self.path.split("?")[0]
        port = self.server.server_address[1]
        if path == "/picture":
            # No extension, and a type that is not so.
            self.answer(200, [("Content-Type", "text/html")], PNG)
        elif path == "/text":
            self.answer(200, [("Content-Type", "image/png")], b"<html>no picture</html>" * 40)
        elif path == "/404":
            self.answer(404, [("Content-Type", "image/png")], PNG)
        elif path == "/cookie":
            # Says what it was sent besides, and hands out a cookie.
            body = "%s %s" % (self.headers.get("Cookie", "none"), self.headers.get("Accept-Encoding", "any"))
            self.answer(200, [("Set-Cookie", "a=b; Max-Age=600; Path=/")], body.encode())
        elif path == "/redirect":
            self.answer(302, [("Location", "https://localhost:%d/picture" % port)], b"moved")
        elif path == "/redirect-http":
            self.answer(302, [("Location", "http://localhost:%d/picture" % port)])
        elif path == "/redirect-private":
            self.answer(302, [("Location", "https://10.0.0.1:%d/picture" % port)])
        elif path == "/redirect-ever":
            self.answer(302, [("Location", "/redirect-ever")])
        elif path == "/drop":
            self.answer(200, [], PNG[:20], len(PNG))
        elif path == "/short":
            # Says less than comes.
            self.answer(200, [], PNG, 20)
        elif path == "/slow":
            self.send_response(200)
            self.send_header("Content-Length", str(len(PNG)))
            self.end_headers()
            for byte in PNG:
                self.wfile.write(bytes([byte]))
                self.wfile.flush()
                time.sleep(1)
        elif path == "/silent":
            time.sleep(120)
        elif path == "/long":
            self.answer(200, [], b"", 60 << 20)
        elif path == "/long-unsaid":
            self.send_response(200)
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(PNG[:33])
            piece = bytes(1 << 20)
            for _ in range(60):
                self.wfile.write(piece)
            self.close_connection = True
        elif path.startswith("/files/") and "/" not in path[7:]:
            with open(os.path.join(self.server.folder, "files", path[7:]), "rb") as f:
                self.answer(200, [], f.read())
        else:
            self.answer(404)


def main():
    folder = sys.argv[1]
    os.makedirs(os.path.join(folder, "files"), exist_ok=True)
    certificates(folder)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.folder = folder
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(os.path.join(folder, "server.pem"), os.path.join(folder, "server.key"))
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    print(server.server_address[1], flush=True)
    # Ends with whoever started it.
    import threading
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()


main()
