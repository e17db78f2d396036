"""Whom or what dice are rolled for."""

from __future__ import annotations

import zlib

from mypy_extensions import i64


class Subject:
    """Somebody or something that dice are rolled for: its id, the stable hash of it, and its draws so far by stream."""

    def __init__(self, ident: str, streams: int = 16) -> None:
        self.id = ident
        self.key: i64 = zlib.crc32(ident.encode("utf-8"))
        self.draws: list[int] = [0] * streams
