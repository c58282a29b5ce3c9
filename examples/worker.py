#!/usr/bin/env python3
"""A remote worker for Pawl in Python's standard library: PAWL_SECRET=… worker.py PORT [LOG]

It answers short jobs directly, and shows how to call back with every third one. docs/managers.md has the protocol.
"""
import hmac
import json
import os
import sys
import threading
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["PAWL_SECRET"]
CAPACITY = 8
LOG = open(sys.argv[2], "a", buffering=1) if len(sys.argv) > 2 else None
room = threading.BoundedSemaphore(CAPACITY)


def work(job):
    """Put the work here. What it raises fails the attempt."""
    note("begin", job)
    try:
        time.sleep(0.002)
    finally:
        note("end", job)


def note(what, job):
    if LOG:
        LOG.write(f"{what} {job['id']} {job['leaseToken']} {time.monotonic_ns()}\n")


def outcome(job):
    try:
        work(job)
        return {"outcome": "completed"}
    except Exception as error:  # whatever it is, the manager is told
        return {"outcome": "failed", "error": repr(error)}


def call_back(job, what, message):
    request = urllib.request.Request(
        f"{job['callback']}/jobs/{job['id']}/{what}",
        json.dumps(dict(message, token=job["token"])).encode(),
        {"Authorization": "Bearer " + SECRET, "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=10) as answer:
        return answer.status


def run_later(job):
    try:
        call_back(job, "renew", {})  # a long job does this at least every heartbeatSeconds
        call_back(job, "outcome", outcome(job))
    except urllib.error.HTTPError as refused:  # 409: somebody else has the job now
        print(f"job {job['id']}: the manager answered {refused.code}", file=sys.stderr)
    except OSError as gone:
        print(f"job {job['id']}: the manager is gone: {gone}", file=sys.stderr)
    finally:
        room.release()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, message=None):
        body = json.dumps(message).encode() if message is not None else b""
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def trusted(self):
        return hmac.compare_digest(self.headers.get("Authorization", ""), "Bearer " + SECRET)

    def do_GET(self):
        if not self.trusted():
            self.answer(401)
        else:
            self.answer(200, {"capacity": CAPACITY})

    def do_POST(self):
        length = int(self.headers.get("Content-Length", 0))
        if length > 4 << 20:
            self.close_connection = True
            return self.answer(413)
        body = self.rfile.read(length)
        if not self.trusted():
            return self.answer(401)
        job = json.loads(body)
        if not room.acquire(blocking=False):
            return self.answer(503)
        if job["id"] % 3 == 0 and job.get("callback"):
            threading.Thread(target=run_later, args=(job,), daemon=True).start()
            return self.answer(202)
        try:
            self.answer(200, outcome(job))
        finally:
            room.release()

    def log_message(self, *ignored):
        pass


class Server(ThreadingHTTPServer):
    request_queue_size = 100
    daemon_threads = True


server = Server(("127.0.0.1", int(sys.argv[1])), Handler)
print(f"listening on port {server.server_port}", flush=True)
server.serve_forever()
