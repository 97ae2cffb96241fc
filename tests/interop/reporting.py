"""Reports the checks of a program that runs in a venv.

Prints a line `ok TITLE` or `FAIL TITLE: REASON` for each check, which `results` reads.
"""

import contextlib


@contextlib.contextmanager
def report(title):
    """Prints the result of the block. An exception fails this check; later checks still run."""
    try:
        yield
    except Exception as reason:
        print(f"FAIL {title}: {type(reason).__name__} {reason}".replace("\n", " "), flush=True)
    else:
        print(f"ok {title}", flush=True)
