"""Nothing in the repository names a path of one machine or the host of a package registry."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

PATH = r"(?<![\w.~-])/(?:home|root|tmp|work|opt|mnt|Users|private|var)/\w"
DRIVE = r"\b[A-Z]:\\\\?\w"
HOST = r"\b(?:pypi\.org|pythonhosted\.org|anaconda\.(?:org|com)|registry\.npmjs\.org|localhost:\d+)\b"
MACHINE = re.compile(f"{PATH}|{DRIVE}|{HOST}")
SHARED = re.compile(r"\.\./shared\b")


def texts(tree: Path) -> Iterator[tuple[Path, str]]:
    """The text files of the repository: those under version control and those that are not ignored."""
    git = ["git", "-C", str(tree), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    if shutil.which("git") is None or not (tree / ".git").exists():
        pytest.skip("this is not a clone of the repository")
    for name in subprocess.run(git, check=True, capture_output=True, text=True).stdout.split("\0"):
        file = tree / name
        if not file.is_file() or file == Path(__file__).resolve():
            continue
        try:
            yield Path(name), file.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue


@pytest.mark.parametrize("text", ["see /home/ann/x", "'/tmp/x'", r"C:\Users", "https://pypi.org/simple"])
def test_pattern_finds(text: str) -> None:
    assert MACHINE.search(text)


@pytest.mark.parametrize("text", ["tests/tmp/x", "and/or", "1/1/RW", "../work/x", "~/root/x"])
def test_pattern_passes(text: str) -> None:
    assert not MACHINE.search(text)


def test_no_file_names_a_machine(tree: Path) -> None:
    found = [
        f"{file}:{number}: {match[0]}"
        for file, text in texts(tree)
        for number, line in enumerate(text.splitlines(), 1)
        if (match := MACHINE.search(line)) or (file != Path(".ci/run") and (match := SHARED.search(line)))
    ]
    assert found == []
