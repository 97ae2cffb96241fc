"""What a program in a venv says of its checks: a line `ok TITLE` or `FAIL TITLE: REASON` each, which `results` takes over."""

import contextlib


@contextlib.contextmanager
def told(title):
    """Tells how what is under it ends.  Any failure of a library is a failed check, and not the end of the others."""
    try:
        yield
    except Exception as reason:
        print(f"FAIL {title}: {type(reason).__name__} {reason}".replace("\n", " "), flush=True)
    else:
        print(f"ok {title}", flush=True)
