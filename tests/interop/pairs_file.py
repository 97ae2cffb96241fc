"""Reads pairs.txt: the command lines to compare, their settings, and the intended differences.

A line is `VERB <tab> FLAGS <tab> OBJECTS`. Flags and objects are split as by a shell; `-` means
none. The agent's address is inserted between them, as Net-SNMP requires. A line that begins with
`%` applies until the next one of its kind: `% as FLAGS` sets the credentials, `% agent NAME` the
agent, `% mibs NAME` the definitions. A line that begins with `!` gives the reason why the outputs
of the pair above must differ.
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
    intended_difference: str = field(default="")

    def arguments(self, address):
        """The arguments after the program's name."""
        address = [address] if address else []
        return [*self.credentials, *self.flags, *address, *self.objects]


def read(path):
    """Returns all pairs in order."""
    pairs, settings = [], {"as": "", "agent": "frozen", "mibs": "ours"}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("% "):
            key, _, value = line[2:].partition(" ")
            assert key in settings, f"{path.name}:{number}: unknown setting % {key}"
            settings[key] = value.strip()
        elif line.startswith("! "):
            pairs[-1].intended_difference = line[2:].strip()
        else:
            fields = re.split(r"\t+", line.strip("\t"))
            assert len(fields) == 3, f"{path.name}:{number}: expected three fields separated by tabs"
            verb, flags, objects = fields
            pairs.append(Pair(number, f"snmp{verb}", split_words(flags), split_words(objects), split_words(settings["as"]),
                              settings["agent"], settings["mibs"]))
    return pairs


def split_words(text):
    return [] if text == "-" else shlex.split(text)
