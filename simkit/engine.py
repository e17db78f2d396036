"""Which modules make the engine, whether they are compiled, and a hash of all that decides a battle.

`setup.py` runs this file for the list of what to compile, so it imports only the standard library.
"""

import hashlib
from collections.abc import Iterator
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader
from importlib.util import find_spec
from pathlib import Path

PACKAGES = ("model", "rules", "play", "commanders", "exact")
"""The packages whose modules are compiled; the modules of a book, `books/<book>/*.py`, are compiled too."""

INTERPRETED = ("scenario",)
"""Packages that are never compiled and still decide what a battle is: they count in the hash."""

DATA = (".csv", ".map", ".toml", ".txt")
"""Endings of the data files of books and doctrines."""

BUILD_NOTE = "build_note.txt"
"""The file in which the build says why it packed no compiled modules; a source tree has none."""

ROOT = Path(__file__).resolve().parent


def sources(root: Path = ROOT) -> dict[str, Path]:
    """The source file of each engine module, by the module's full name, in the order of the names.

    A package's `__init__` is not among them: it holds no code of the engine.
    """
    files = [file for package in PACKAGES for file in (root / package).rglob("*.py")]
    files += (root / "books").glob("*/*.py")
    named = {".".join(("simkit", *file.relative_to(root).with_suffix("").parts)): file for file in files}
    return {name: named[name] for name in sorted(named) if not name.endswith(".__init__")}


def modules() -> list[str]:
    """The full names of all engine modules, sorted."""
    return list(sources())


def compiled() -> bool:
    """True if every engine module is a C extension, False if none is.

    Raises:
        InputError: some are and some are not, so that nobody can say which engine played.
    """
    names = modules()
    extensions = [name for name in names if _is_extension(name)]
    if extensions and len(extensions) < len(names):
        from simkit.errors import InputError

        rest = sorted(set(names) - set(extensions))
        raise InputError(
            f"{ROOT}: this installation mixes compiled and interpreted engine modules ({len(extensions)} compiled, "
            f"{len(rest)} not: {', '.join(rest[:3])}{', ...' if len(rest) > 3 else ''}); install simkit anew"
        )
    return bool(extensions)


def build_note() -> str:
    """Why the build packed no compiled modules, in one line; empty if it packed them or if nothing was built."""
    note = ROOT / BUILD_NOTE
    return note.read_text(encoding="utf-8").strip() if note.is_file() else ""


def extension_files(root: Path = ROOT) -> list[Path]:
    """Every C extension that lies below a folder of the package, sorted."""
    return sorted(file for file in root.rglob("*") if file.name.endswith(tuple(EXTENSION_SUFFIXES)))


def code_hash() -> str:
    """The sha256, in hexadecimal, of all that decides a battle: engine, scenario readers, books and doctrines.

    It is the same for a compiled and an interpreted engine, and on every platform.
    """
    digest = hashlib.sha256()
    for file in sorted(_deciding_files(), key=lambda file: file.relative_to(ROOT).as_posix()):
        content = file.read_bytes().replace(b"\r\n", b"\n")
        digest.update(f"{file.relative_to(ROOT).as_posix()}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def _deciding_files() -> Iterator[Path]:
    for package in (*PACKAGES, *INTERPRETED, "books"):
        for file in (ROOT / package).rglob("*"):
            if file.suffix in (".py", *DATA):
                yield file


def _is_extension(name: str) -> bool:
    # For a module in use the answer is the one that was imported, for any other the one that would be.
    spec = find_spec(name)
    return spec is not None and isinstance(spec.loader, ExtensionFileLoader)
