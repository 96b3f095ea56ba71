"""Are there known faults in the packages that constraints.txt pins? Says so too where nobody could be asked.

Exit status: 0 no known faults, 1 known faults, 2 not checked. A service that does not know of the faults of an
old package that is known to have some is not believed about ours either.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

PINS = Path(__file__).resolve().parents[1] / "constraints.txt"
FAULTY = "jinja2==2.4.1\n"


def ask(pins: str) -> dict[str, Any] | str:
    """What pip-audit reports of some pins, or why it reports nothing."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write(pins)
        file.flush()
        how = ["--disable-pip", "--no-deps", "--progress-spinner=off", "--format=json", "--requirement", file.name]
        asked = subprocess.run([sys.executable, "-m", "pip_audit", *how], capture_output=True, text=True)
    try:
        return dict(json.loads(asked.stdout))
    except ValueError:
        return (asked.stderr.strip().splitlines() or ["pip-audit says nothing"])[-1]


def judged(report: dict[str, Any] | str, control: dict[str, Any] | str) -> tuple[list[str], int]:
    """What to say of our pins, and the exit status."""
    for told in (control, report):
        if isinstance(told, str):
            return [f"Not checked: the service that knows of faults cannot be asked from here ({told})."], 2
    assert isinstance(report, dict)
    assert isinstance(control, dict)
    if not any(package.get("vulns") for package in control["dependencies"]):
        return ["Not checked: what answers here does not know of faults that everybody knows of."], 2
    faults = [
        f"{package['name']} {package['version']}: {fault['id']}, mended in {', '.join(fault['fix_versions']) or 'none'}"
        for package in report["dependencies"]
        for fault in package.get("vulns", [])
    ]
    unknown = [package["name"] for package in report["dependencies"] if "skip_reason" in package]
    checked = len(report["dependencies"]) - len(unknown)
    if unknown:
        faults.append(f"Not checked: {', '.join(unknown)}.")
    if any(package.get("vulns") for package in report["dependencies"]):
        return faults, 1
    return [*faults, f"{checked} packages, no known faults."], 2 if unknown else 0


if __name__ == "__main__":
    says, status = judged(ask(PINS.read_text()), ask(FAULTY))
    print(*says, sep="\n")  # noqa: T201
    raise SystemExit(status)
