"""The server as `manage.py serve` runs it: opened, put under load, weighed."""

import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path

from .phone import Phone

ROOT = Path(__file__).parents[2]
WRK = shutil.which("wrk")
LOADED_BY = "wrk with 16 connections" if WRK else "8 threads in this process, for want of wrk"


@contextmanager
def served() -> Iterator[tuple[int, int]]:
    """Open the house on a free port; the process and the port."""
    command = [sys.executable, "manage.py", "serve", "--host", "127.0.0.1", "--port", "0"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            addresses = (re.search(r"://localhost:(\d+)/", line) for line in process.stdout or ())
            yield process.pid, next(int(found[1]) for found in addresses if found)
        finally:
            process.terminate()
            process.communicate()


def load(phone: Phone, path: str, seconds: int) -> tuple[float, Counter[str]]:
    """Ask for a page as often as it comes: pages per second, and how they were answered."""
    phone.get(path, 204 if "Seen" in phone.says else 200)
    return (_wrk if WRK else _threads)(phone, path, seconds)


def _wrk(phone: Phone, path: str, seconds: int) -> tuple[float, Counter[str]]:
    headers = [f"-H{name}: {value}" for name, value in phone.headers.items()]
    command = [WRK or "", "-t1", "-c16", f"-d{seconds}s", *headers, phone.origin + path]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def figure(pattern: str) -> float:
        return sum(map(float, re.findall(r"[\d.]+", " ".join(re.findall(pattern, told)))))

    failed, broken = figure("Non-2xx or 3xx responses: (.*)"), figure("Socket errors: (.*)")
    well = figure(r"(\d+) requests in") - failed
    answers = Counter({"well": int(well), "failed": int(failed), "broken": int(broken)})
    return figure("Requests/sec: (.*)"), answers


def _threads(phone: Phone, path: str, seconds: int) -> tuple[float, Counter[str]]:
    answers: list[str] = []
    end = time.perf_counter() + seconds

    def ask() -> None:
        connection = HTTPConnection(phone.connection.host, phone.connection.port, timeout=30)
        while time.perf_counter() < end:
            connection.request("GET", path, headers=phone.headers)
            response = connection.getresponse()
            response.read()
            answers.append("well" if response.status < 400 else "failed")

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return len(answers) / seconds, Counter(answers)


def processor_time(pid: int) -> float:
    """Seconds that a process has spent on a processor, little moved by other work; 0 where none is told."""
    told = Path(f"/proc/{pid}/stat")
    spent = told.read_text().rpartition(")")[2].split()[11:13] if told.exists() else []
    return sum(map(int, spent)) / os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> tuple[float, str]:
    """Megabytes that a process and all that it started hold, and how they were counted."""
    told = subprocess.run(["ps", "-Ao", "pid=,ppid=,rss="], check=True, capture_output=True, text=True).stdout
    processes = [tuple(map(int, line.split())) for line in told.splitlines()]
    tree = {pid}
    while more := {child for child, parent, _ in processes if parent in tree} - tree:
        tree |= more
    shares = [Path(f"/proc/{one}/smaps_rollup") for one in tree]
    if all(share.exists() for share in shares):
        found = re.findall(r"^Pss: *(\d+)", "\n".join(share.read_text() for share in shares), re.MULTILINE)
        return sum(map(int, found)) / 1024, "PSS"
    return sum(rss for one, _, rss in processes if one in tree) / 1024, "RSS"
