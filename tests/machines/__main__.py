"""`deploy/try-machines`: what several machines keep when one fails. Exits with 1 after a fault."""

import argparse
import json
import os
import signal
import sys
import traceback
from pathlib import Path

import django

_MAX_SECONDS = 480  # seconds; half is enough on two idle cores


def _give_up(*_: object) -> None:
    raise TimeoutError(f"It took more than {_MAX_SECONDS} s.")


def main(folder: Path, report: Path | None) -> int:
    """Run the trial; returns the exit status."""
    from tests.machines import tally
    from tests.machines.trial import Trial

    trial = Trial(folder)
    trial.build()
    trial.run()
    figures, faults = tally.of(trial)
    for name, figure in figures.items():
        print(f"{name}: {figure}")
    print(*faults[:40], f"{len(faults)} faults.", sep="\n", flush=True)
    if report:
        report.write_text(json.dumps({"figures": figures, "faults": faults}, indent=2) + "\n")
    return int(bool(faults))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="deploy/try-machines")
    parser.add_argument("--folder", type=Path, required=True, help="for data and logs")
    parser.add_argument("--report", type=Path, help="where the tally goes as JSON")
    reported = parser.parse_args()
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "linkwatch.settings",
        "DATA_DIR": f"{reported.folder}/own",
    }
    django.setup()
    signal.signal(signal.SIGALRM, _give_up)
    signal.alarm(_MAX_SECONDS)
    # When this process, the first of its namespace, exits, all others end: no thread may delay its
    # exit.
    status = 1
    try:
        status = main(reported.folder, reported.report)
    finally:
        if sys.exc_info()[0]:
            traceback.print_exc()
        sys.stdout.flush()
        os._exit(status)
