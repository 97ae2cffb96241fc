"""Splits Rust source into comments, string literals and code.

A small lexer: it knows line and block comments, string literals (plain, raw, byte and C strings), character literals and
lifetimes. Everything else is code.
"""

import re

COMMENT, STRING, CODE = "comment", "string", "code"

TOKEN = re.compile(
    r"""(?P<line>//[^\n]*)
      | (?P<block>/\*.*?\*/)
      | (?P<raw>\b(?:br|cr|r)(?P<hashes>\#*)".*?"(?P=hashes))
      | (?P<plain>\b[bc]?"(?:[^"\\]|\\.)*"|"(?:[^"\\]|\\.)*")
      | (?P<character>b?'(?:[^'\\\n]|\\[^\n]+?)')
      | (?P<lifetime>'[A-Za-z_]\w*)
    """,
    re.VERBOSE | re.DOTALL,
)


def pieces(text):
    """Yield (kind, first line number, text) for each comment, string literal and run of code."""
    position, line = 0, 1
    for match in TOKEN.finditer(text):
        if match["character"] or match["lifetime"]:
            continue
        code = text[position:match.start()]
        if code.strip():
            yield CODE, line, code
        line += code.count("\n")
        yield COMMENT if match["line"] or match["block"] else STRING, line, match[0]
        line += match[0].count("\n")
        position = match.end()
    if text[position:].strip():
        yield CODE, line, text[position:]


def without_comments_and_strings(text):
    """The text with each comment and string literal replaced by blanks; line numbers stay the same."""
    def blank(match):
        if match["character"] or match["lifetime"]:
            return match[0]
        return re.sub(r"[^\n]", " ", match[0])
    return TOKEN.sub(blank, text)


def without_tests(code):
    """Code (see `without_comments_and_strings`) with each item below `#[cfg(test)]` replaced by blanks."""
    while found := re.search(r"#\[cfg\((?:test|all\(test[^\]]*|any\(test[^\]]*)\)\]", code):
        end = end_of_item(code, found.end())
        code = code[:found.start()] + re.sub(r"[^\n]", " ", code[found.start():end]) + code[end:]
    return code


def end_of_item(code, position):
    """The position after the item that begins at `position`: after its semicolon, or after its closing brace."""
    depth = 0
    for at in range(position, len(code)):
        letter = code[at]
        if letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth -= 1
            if depth == 0 and letter == "}":
                return at + 1
        elif letter == ";" and depth == 0:
            return at + 1
    return len(code)
