"""What the commands share: bad input told in one message, and tables."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, NoReturn

import typer

from simkit.errors import InputError

BAD_INPUT, INTERRUPTED = 2, 130
PICTURES = (".png", ".svg", ".pdf")


def on_terminal() -> bool:
    """Whether somebody reads what is printed."""
    return sys.stdout is not None and sys.stdout.isatty()  # none if the shell has closed it


def job(command: Callable[..., None]) -> Callable[..., None]:
    """The command, its bad input told in one message."""

    @wraps(command)
    def run(*arguments: Any, **options: Any) -> None:
        try:
            command(*arguments, **options)
        except InputError as error:
            refuse(error.message, error.picture)
        except BrokenPipeError:
            raise  # whoever read has heard enough: typer ends without a word
        except OSError as error:
            # Whatever the system refuses where no reader or writer could say more, as a full disk behind `> file`.
            where = f"{error.filename}: " if error.filename else ""
            refuse(f"{where}{error.strerror or error}")
        except MemoryError:
            refuse("memory is full; close other programs, or use fewer --jobs")
        except KeyboardInterrupt:
            typer.echo("simkit: stopped", err=True)
            raise typer.Exit(INTERRUPTED) from None

    return run


def refuse(message: str, picture: Sequence[str] = ()) -> NoReturn:
    """End with a message, the lines that show the place, and the exit code of bad input."""
    say_wrong(message)
    for line in picture:
        typer.echo(f"  {printable(line)}", err=True)
    raise typer.Exit(BAD_INPUT) from None


def say_wrong(message: str) -> None:
    """Tell what is wrong in one line, without the control characters that a file or name may hold."""
    typer.echo(f"simkit: {printable(message)}", err=True)


@contextmanager
def kept_if_stopped(folder: Path) -> Iterator[None]:
    """Where Ctrl-C stops what plays into a folder, say that nothing complete is lost, and end with its exit code."""
    try:
        yield
    except KeyboardInterrupt:
        typer.echo(f"simkit: stopped; {folder} keeps what was complete, the same command goes on", err=True)
        raise typer.Exit(INTERRUPTED) from None


def check_picture(path: Path | None) -> None:
    """See that the file for a picture, if one is asked for, has a name that says its kind.

    Raises:
        InputError: it has not.
    """
    if path is not None and path.suffix.lower() not in PICTURES:
        raise InputError(f"--plot {path}: the name must end in {', '.join(PICTURES[:-1])} or {PICTURES[-1]}")


def printable(text: str) -> str:
    """A text whose control characters are told by their codes."""
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A table on a terminal, tab-separated lines elsewhere."""
    if not on_terminal():
        typer.echo("\t".join(heads))
        for row in rows:
            typer.echo("\t".join(row))
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    shown = Table(*heads)
    for row in rows:
        shown.add_row(*map(escape, row))
    Console().print(shown)
