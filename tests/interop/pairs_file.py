"""Reads pairs.txt: which command lines are compared, how, and where a difference is meant.

A line is `VERB <tab> FLAGS <tab> OBJECTS`, the last two as a shell would split them and `-` where there are none.  The
agent stands between flags and objects, as Net-SNMP wants it.  Lines that begin with `%` hold until the next of their
kind: `% as FLAGS` says who asks, `% agent NAME` whom, `% mibs NAME` with which definitions.  A line that begins with `!`
says why the pair above differs, and shall.
"""

import re
import shlex
from dataclasses import dataclass, field


@dataclass
class Pair:
    line: int
    program: str
    flags: list
    objects: list
    credentials: list
    agent: str
    mibs: str
    exception: str = field(default="")

    def arguments(self, address):
        """The words after the program's name."""
        address = [address] if address else []
        return [*self.credentials, *self.flags, *address, *self.objects]


def read(path):
    """All pairs, in order."""
    pairs, holding = [], {"as": "", "agent": "frozen", "mibs": "ours"}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("% "):
            key, _, value = line[2:].partition(" ")
            assert key in holding, f"{path.name}:{number}: no line begins with % {key}"
            holding[key] = value.strip()
        elif line.startswith("! "):
            pairs[-1].exception = line[2:].strip()
        else:
            fields = re.split(r"\t+", line.strip("\t"))
            assert len(fields) == 3, f"{path.name}:{number}: wanted three fields with tabs between them"
            verb, flags, objects = fields
            pairs.append(Pair(number, f"snmp{verb}", words(flags), words(objects), words(holding["as"]),
                              holding["agent"], holding["mibs"]))
    return pairs


def words(text):
    return [] if text == "-" else shlex.split(text)
