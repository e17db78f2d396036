"""What somebody sees while battles are played: how many, how fast, and the time left."""

from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text


class _Rate(ProgressColumn):
    """Battles per second of the present session."""

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text("" if speed is None else f"{speed:,.0f} battles/s")


class Watcher:
    """Told how the battles go; this one says nothing."""

    def start(self, total: int, done: int) -> None:
        """Playing begins: how many battles there are in all, and how many are on disk already."""

    def advance(self, battles: int) -> None:
        """So many more battles are on disk."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None


class Bar(Watcher):
    """A progress bar on standard error, which says nothing where that is no terminal."""

    def __init__(self) -> None:
        console = Console(stderr=True)
        self._progress = Progress(
            TextColumn("battles"), BarColumn(), MofNCompleteColumn(), _Rate(), TimeRemainingColumn(),
            console=console, disable=not console.is_terminal,
        )  # fmt: skip

    def start(self, total: int, done: int) -> None:
        """Show the bar."""
        self._task = self._progress.add_task("battles", total=total, completed=done)

    def advance(self, battles: int) -> None:
        """Move it on."""
        self._progress.advance(self._task, battles)

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()
