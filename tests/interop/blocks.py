"""The code blocks of a Markdown document, and the action for each.

| fence | action |
|---|---|
| ```sh | pasted into one shell, which lasts for the whole document; every command must succeed |
| ```console | each command after `$ ` is pasted, and must print the lines below it, if any |
| ```LANGUAGE /FILE | appended to that file |
| ```LANGUAGE not-run | shown to readers only; counted as skipped |
| ```text, and any other language without a path | not run |

In the expected output, `…` matches any text, and a line `…` any number of lines.

A comment `<!-- run: COMMAND -->` is pasted too, but not shown to readers. It prepares what
a guide takes for granted.
"""

import re
from dataclasses import dataclass

FENCE = re.compile(r"^```(\S*)(?: +(\S+))?\s*$")
HIDDEN = re.compile(r"^<!-- run: (.*) -->$")


@dataclass(frozen=True)
class Block:
    """A code block; `line` is the line of its fence."""

    line: int
    language: str
    argument: str
    text: str

    def commands(self):
        """The commands to paste, each with its expected output, which is None for `sh`."""
        if self.language == "sh":
            return [(self.text, None)]
        commands = []
        for line in self.text.splitlines():
            if line.startswith("$ "):
                commands.append((line[2:], ""))
            elif commands and commands[-1][0].endswith("\\"):
                commands[-1] = (f"{commands[-1][0]}\n{line}", "")
            else:
                assert commands, f"line {self.line}: a console block must begin with `$ `"
                commands[-1] = (commands[-1][0], commands[-1][1] + line + "\n")
        return commands


def parse(text):
    """Returns all blocks of `text` in order. Indented blocks are errors: they have no fence."""
    blocks, current, previous = [], None, ""
    for number, line in enumerate(text.splitlines(), 1):
        fence = FENCE.match(line)
        if current and line == "```":
            blocks.append(Block(current[0], current[1], current[2] or "", "".join(f"{line}\n" for line in current[3])))
            current = None
        elif current:
            current[3].append(line)
        elif fence:
            current = (number, fence[1], fence[2], [])
        elif hidden := HIDDEN.match(line):
            blocks.append(Block(number, "sh", "", hidden[1] + "\n"))
        else:
            assert previous.strip() or not line.startswith("    "), f"line {number}: a code block needs a fence with its language"
        previous = line
    assert not current, f"line {current[0]}: the code block is not closed"
    return blocks


def matches(expected, printed):
    """True if `printed` is the output that the document shows."""
    lines = [".*\n" if line == "…" else re.escape(line).replace("…", ".*").rstrip() + r"\s*?\n" for line in expected.splitlines()]
    pattern = "".join(f"(?:{line})*" if line == ".*\n" else line for line in lines)
    return re.fullmatch(pattern, printed) is not None
