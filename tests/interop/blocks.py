"""The code blocks of a Markdown document, and what is to be done with each.

| fence | what happens |
|---|---|
| ```sh | pasted into one shell, which lasts for the document; every command has to succeed |
| ```console | what stands behind `$ ` is pasted, and has to print what stands below; `…` is anything, alone on a line any lines |
| ```LANGUAGE /FILE | appended to that file |
| ```LANGUAGE not-run | shown to readers only; counted as skipped |
| ```text, and what else has no path | no command |

A comment `<!-- run: COMMAND -->` is pasted too, and not shown to readers: what a guide may take for granted.
"""

import re
from dataclasses import dataclass

FENCE = re.compile(r"^```(\S*)(?: +(\S+))?\s*$")
HIDDEN = re.compile(r"^<!-- run: (.*) -->$")


@dataclass(frozen=True)
class Block:
    """A block, at the line of its fence."""

    line: int
    language: str
    argument: str
    text: str

    def commands(self):
        """What to paste, and below it what has to be printed, or None where that is not shown."""
        if self.language == "sh":
            return [(self.text, None)]
        commands = []
        for line in self.text.splitlines():
            if line.startswith("$ "):
                commands.append((line[2:], ""))
            elif commands and commands[-1][0].endswith("\\"):
                commands[-1] = (f"{commands[-1][0]}\n{line}", "")
            else:
                assert commands, f"line {self.line}: a console begins with `$ `"
                commands[-1] = (commands[-1][0], commands[-1][1] + line + "\n")
        return commands


def of(text):
    """Every block of `text` in its order; an indented one has no fence, so it is a mistake."""
    found, opened, before = [], None, ""
    for number, line in enumerate(text.splitlines(), 1):
        fence = FENCE.match(line)
        if opened and line == "```":
            found.append(Block(opened[0], opened[1], opened[2] or "", "".join(f"{each}\n" for each in opened[3])))
            opened = None
        elif opened:
            opened[3].append(line)
        elif fence:
            opened = (number, fence[1], fence[2], [])
        elif hidden := HIDDEN.match(line):
            found.append(Block(number, "sh", "", hidden[1] + "\n"))
        else:
            assert before.strip() or not line.startswith("    "), f"line {number}: a block needs a fence that says what it is"
        before = line
    assert not opened, f"line {opened[0]}: the fence does not end"
    return found


def matches(expected, printed):
    """Whether `printed` is what a document shows."""
    lines = [".*\n" if line == "…" else re.escape(line).replace("…", ".*").rstrip() + r"\s*?\n" for line in expected.splitlines()]
    pattern = "".join(f"(?:{line})*" if line == ".*\n" else line for line in lines)
    return re.fullmatch(pattern, printed) is not None
