#!/usr/bin/env python3
"""A remote worker for Pawl in Python's standard library: PAWL_SECRET=… worker.py PORT [LOG]

The work is a process of its own, because that can be killed: a run must end when no manager has renewed it in time.
docs/reference/managers.md has the protocol.
"""
import hmac
import json
import os
import subprocess
import sys
import threading
import time
import traceback
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["PAWL_SECRET"]
CAPACITY = 8


def work(job):
    """Put the work here. What it raises fails the attempt."""
    payload = json.loads(job["payload"])
    seconds = payload.get("seconds", 0.002) if isinstance(payload, dict) else 0.002
    time.sleep(seconds)


def die_with_the_worker():
    """It keeps our standard input open. When that ends the worker is dead, and nobody renews the run."""
    while os.read(0, 4096):
        pass
    os._exit(1)


def main_of_the_work():
    job = json.loads(sys.stdin.readline())
    threading.Thread(target=die_with_the_worker, daemon=True).start()
    try:
        work(job)
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)
    os._exit(0)


class Managers:
    """Where managers are: all that gave us a job or have looked at us, the one heard of last first. Any of them will do."""

    def __init__(self):
        self.heard = {}
        self.lock = threading.Lock()

    def heard_of(self, url):
        with self.lock:
            self.heard[url] = time.monotonic()
            while len(self.heard) > 20:
                del self.heard[min(self.heard, key=self.heard.get)]

    def in_order(self):
        with self.lock:
            return sorted(self.heard, key=self.heard.get, reverse=True)


managers = Managers()
room = threading.BoundedSemaphore(CAPACITY)
running = 0
taken = set()  # tokens of the assignments in flight
counting = threading.Lock()
LOG = open(sys.argv[2], "a", buffering=1) if len(sys.argv) > 2 else None


def note(what, job):
    if LOG:
        LOG.write(f"{what} {job['id']} {job['leaseToken']} {time.monotonic_ns()}\n")


def ask(job, what, message):
    """Calls one manager after the other; returns (status, answer, when the call was sent), or None if nobody answers."""
    body = json.dumps(dict(message, token=job["token"])).encode()
    for url in managers.in_order():
        sent = time.monotonic()
        request = urllib.request.Request(
            f"{url}/jobs/{job['id']}/{what}",
            body,
            {"Authorization": "Bearer " + SECRET, "Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=max(1, min(10, job["heartbeatSeconds"]))) as answer:
                status, content = answer.status, answer.read()
        except urllib.error.HTTPError as refused:
            status, content = refused.code, b""
        except (OSError, ValueError):
            continue
        if status not in (204 if what == "outcome" else 200, 400, 409, 413):
            continue  # not a manager's answer (perhaps a proxy's), or another manager's tables
        managers.heard_of(url)
        return status, json.loads(content) if content else {}, sent
    return None


class Lease:
    """How long the run may go on, by our own monotonic clock, counted from when the last good renewal was sent."""

    def __init__(self, job):
        self.job = job
        self.until = time.monotonic()
        self.refused = False

    def renew(self):
        answer = ask(self.job, "renew", {})
        if answer and answer[0] == 200:
            self.until = max(self.until, answer[2] + answer[1]["leaseSeconds"])
        elif answer:
            self.refused = True
        return bool(answer) and answer[0] == 200

    def begin(self):
        """No run begins unasked: the job may have been on its way for so long that somebody else has it."""
        patience = time.monotonic() + 3 * self.job["heartbeatSeconds"]
        while not self.renew() and not self.refused and time.monotonic() < patience:
            time.sleep(0.2)
        return not self.refused and time.monotonic() < self.until

    def keep(self, stop):
        while not stop.wait(self.job["heartbeatSeconds"] / 2):
            self.renew()

    def is_over(self):
        return self.refused or time.monotonic() >= self.until


def run(job):
    lease = Lease(job)
    if not lease.begin():
        return
    stop = threading.Event()
    threading.Thread(target=lease.keep, args=(stop,), daemon=True).start()
    try:
        report(job, lease, outcome(job, lease))
    finally:
        stop.set()


def outcome(job, lease):
    deadline = time.monotonic() + job["deadlineSeconds"]
    process = subprocess.Popen(
        [sys.executable, os.path.abspath(__file__), "--work"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    errors = []
    reader = threading.Thread(target=lambda: errors.append(process.stderr.read()), daemon=True)
    reader.start()
    note("begin", job)
    try:
        process.stdin.write(json.dumps(job) + "\n")
        process.stdin.flush()
        while process.poll() is None:
            if lease.is_over() or time.monotonic() >= deadline:
                process.kill()
                process.wait()
                return {"outcome": "failed", "error": "killed: its time was over, or no manager has renewed it"}
            time.sleep(0.02)
    except BrokenPipeError:
        process.wait()
    finally:
        note("end", job)
        process.kill()
    if process.returncode == 0:
        return {"outcome": "completed"}
    reader.join(1)
    return {"outcome": "failed", "error": "".join(errors)[-4000:]}


def report(job, lease, message):
    """Until a manager has recorded it, or the lease has been over for a minute."""
    while time.monotonic() < lease.until + 60:
        answer = ask(job, "outcome", message)
        if answer:
            if answer[0] != 204:
                print(f"job {job['id']}: the outcome is refused with {answer[0]}", file=sys.stderr)
            return
        time.sleep(0.5)


def take(job):
    global running
    try:
        run(job)
    finally:
        with counting:
            running -= 1
            taken.discard(job["token"])
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
            return self.answer(401)
        if self.headers.get("Pawl-Callback"):
            managers.heard_of(self.headers["Pawl-Callback"])  # possibly a new manager
        self.answer(200, {"capacity": CAPACITY, "running": running})

    def do_POST(self):
        global running
        if not self.trusted():
            self.close_connection = True
            return self.answer(401)
        length = int(self.headers.get("Content-Length", 0))
        if length > 4 << 20:
            self.close_connection = True
            return self.answer(413)
        job = json.loads(self.rfile.read(length))
        with counting:
            known = job["token"] in taken
            taken.add(job["token"])
        if known:
            return self.answer(409)  # the manager has sent it twice
        if not room.acquire(blocking=False):
            with counting:
                taken.discard(job["token"])
            return self.answer(503)
        with counting:
            running += 1
        managers.heard_of(job["callback"])
        threading.Thread(target=take, args=(job,), daemon=True).start()
        self.answer(202)

    def log_message(self, *ignored):
        pass


class Server(ThreadingHTTPServer):
    request_queue_size = 100
    daemon_threads = True


if sys.argv[1] == "--work":
    main_of_the_work()
else:
    server = Server(("127.0.0.1", int(sys.argv[1])), Handler)
    print(f"listening on port {server.server_port}", flush=True)
    server.serve_forever()
