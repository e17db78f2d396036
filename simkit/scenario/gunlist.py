"""Sections of a battery as rosters and scenarios write them: "4 N + 2 R" (2.41, 8.37)."""

import re

EXAMPLE = '"4 N + 2 R", guns before type, top section first'


def is_divided(text: str) -> bool:
    """Whether a weapon is written as that of several sections."""
    return "+" in text


def sections_of(text: str) -> tuple[tuple[int, str], ...]:
    """2.41: guns and weapon of each section; a blank between them may be left out where the code begins with a letter.

    Raises:
        ValueError: the text is no list of sections.
    """
    found = []
    for piece in text.split("+"):
        match = re.fullmatch(r"([0-9]{1,4})(?:\s+(\S+)|([^\W\d]\S*))", piece.strip())
        if match is None:
            raise ValueError(f'"{text}" names no sections; right would be {EXAMPLE} (2.41)')
        found.append((int(match[1]), match[2] or match[3]))
    return tuple(found)


def guns_of(text: str) -> int:
    """Guns of all sections together; ValueError if the text is no list of sections."""
    return sum(guns for guns, _ in sections_of(text))
