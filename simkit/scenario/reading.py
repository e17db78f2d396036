"""Reading of data files: text, TOML and CSV, checked against a schema, with messages that name file, line and key."""

import csv
import difflib
import io
import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, time
from pathlib import Path
from typing import Any, Literal, Self, TypeVar

from pydantic import BaseModel, ConfigDict, PrivateAttr, ValidationError, model_validator
from pydantic.fields import FieldInfo

from simkit.errors import InputError

MOST_BYTES = 20_000_000
"""Bytes that a data file may have."""

MOST_SHOWN = 80
"""Letters of a value that a message shows."""

MOST_KNOWN = 20
"""Known words that a message lists."""

MOST_NUMBER = 10_000_000
"""How far from 0 a whole number of a data file may lie where its field sets not both limits of its own."""

Location = tuple[str | int, ...]
Source = Literal["printed", "derived", "reconstructed"]


class Table(BaseModel):
    """A table of a data file: no key but those of its schema, values of just their types, unchanged once read."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True, strict=True)

    @model_validator(mode="after")
    def _numbers_in_range(self) -> Self:
        # The compiled engine counts in 64 bits.
        for name, field in type(self).model_fields.items():
            bounded = {type(limit).__name__ for limit in field.metadata} >= {"Ge", "Le"}
            for number in () if bounded else _whole_numbers(getattr(self, name)):
                if abs(number) > MOST_NUMBER:
                    raise ValueError(f"{name}: must lie between -{MOST_NUMBER} and {MOST_NUMBER}, not {shown(number)}")
        return self


class Origin(Table):
    """Where a value comes from: printed (in which rule), derived from print, or reconstructed, and why so."""

    source: Source
    rule: str = ""
    why: str = ""


class Sourced(Origin):
    """A table whose values have one origin, but for those that `sources` names by their key."""

    sources: dict[str, Origin] = {}

    @model_validator(mode="after")
    def _sources_known(self) -> Self:
        for key in self.sources:
            if key not in type(self).model_fields:
                raise ValueError(f'sources names "{key}"{suggestion(key, type(self).model_fields)}')
        return self


class Row(Table):
    """A row of a CSV file, which knows its line."""

    _line: int = PrivateAttr(default=0)

    @property
    def line(self) -> int:
        """The line of its file on which it ends, from 1; 0 if it was not read from a file."""
        return self._line


Model = TypeVar("Model", bound=BaseModel)
AnyRow = TypeVar("AnyRow", bound=Row)


def read_text(path: Path) -> str:
    """The text of a UTF-8 file.

    Raises:
        InputError: there is no such file, or it is not UTF-8.
    """
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise InputError(f"{path}: is a device, no file")
        if path.is_file() and path.stat().st_size > MOST_BYTES:
            raise InputError(f"{path}: is no data file of simkit: it has more than {MOST_BYTES:,} bytes")
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 text (byte {error.start}); save the file as UTF-8") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except ValueError:  # a zero byte in the path, the one sign that no system allows
        raise InputError(f"{str(path)!r}: no such file; a path cannot hold a zero byte") from None


def read_toml(path: Path) -> tuple[dict[str, Any], str]:
    """The tables of a TOML file, and its text.

    Raises:
        InputError: it cannot be read, is no TOML, or is empty.
    """
    text = read_text(path)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path}: not a TOML file: {error}") from None
    except ValueError:
        raise InputError(f"{path}: a number in it has too many digits to be read") from None
    except RecursionError:
        raise InputError(f"{path}: its brackets stand too deep in each other to be read") from None
    if not data:
        raise InputError(f"{path}: the file is empty")
    return data, text


def checked(model: type[Model], data: Any, path: Path, text: str) -> Model:
    """Data as a table of a schema.

    Raises:
        InputError: a key is missing, unknown or has a wrong value; with file, line and what would be right.
    """
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise InputError(explain(error, model, path, text)) from None


def read_rows(model: type[AnyRow], path: Path) -> list[AnyRow]:
    """The rows of a CSV file with a header, each as a table of a schema; empty cells count as not there.

    Raises:
        InputError: as `checked`, with the line of the row.
    """
    reader = csv.DictReader(io.StringIO(read_text(path), newline=""))
    rows = []
    known = list(model.model_fields)
    try:
        columns = reader.fieldnames or []
    except csv.Error as error:
        raise InputError(f"{path}, line 1: not a CSV file: {error}") from None
    if not columns:
        raise InputError(f"{path}: the file is empty")
    for number, name in enumerate(columns):
        if name not in known:
            raise InputError(f'{path}, line 1: unknown column "{name}"{suggestion(name, known)}')
        if name in columns[:number]:
            raise InputError(f'{path}, line 1: column "{name}" stands twice')
    for row in _rows(reader, path):
        if None in row:
            raise InputError(f"{path}, line {reader.line_num}: more cells than the header has columns")
        cells = {key: value for key, value in row.items() if value not in ("", None)}
        try:
            # The cells of a CSV file are all text: numbers and yes or no are read from it.
            made = model.model_validate(cells, strict=False)
        except ValidationError as error:
            raise InputError(f"{path}, line {reader.line_num}: {complaint_of(error, model)[1]}") from None
        made._line = reader.line_num
        rows.append(made)
    if not rows:
        raise InputError(f"{path}: the table has no rows")
    return rows


def _rows(reader: "csv.DictReader[str]", path: Path) -> Iterator[dict[str | Any, str | Any]]:
    try:
        yield from reader
    except csv.Error as error:
        raise InputError(f"{path}, line {reader.line_num + 1}: not a CSV file: {error}") from None


def _whole_numbers(value: object) -> list[int]:
    """The whole numbers in a field's value, those in lists and under keys included."""
    if isinstance(value, bool):
        return []
    if isinstance(value, int):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return [number for one in inner for number in _whole_numbers(one)]


def suggestion(word: str, known: Iterable[str]) -> str:
    """The tail of a message about an unknown word: the nearest known word, else those that there are, or the first."""
    words, word = list(known), word[:MOST_SHOWN]
    lowered = {name.lower(): name for name in words}
    near = difflib.get_close_matches(word.lower(), list(lowered), n=1)
    if near:
        return f'; did you mean "{lowered[near[0]]}"?'
    rest = f" and {len(words) - MOST_KNOWN} more" if len(words) > MOST_KNOWN else ""
    return f"; known: {', '.join(words[:MOST_KNOWN])}{rest}" if words else ""


def explain(error: ValidationError, model: type[BaseModel], path: Path, text: str) -> str:
    """The first of a schema's complaints in plain words, with file and line."""
    location, complaint = complaint_of(error, model)
    line = line_of(text, location)
    return f"{path}, line {line}: {complaint}" if line else f"{path}: {complaint}"


def complaint_of(error: ValidationError, model: type[BaseModel]) -> tuple[Location, str]:
    """The first of a schema's complaints: where it lies in the data, and in plain words."""
    # A misspelt key often leaves the right one missing: the former is the cause.
    first = min(error.errors(include_url=False), key=lambda found: found["type"] != "extra_forbidden")
    location = _plain(first["loc"])
    types = [found["loc"][-1] for found in error.errors() if _plain(found["loc"]) == location != found["loc"]]
    where = f"{dotted(location)}: " if location else ""
    if len(types) > 1 and all(word in _TYPES for word in types):
        wanted = [_TYPES[str(word)] for word in types]
        return location, f"{where}must be {', '.join(wanted[:-1])} or {wanted[-1]}, not {shown(first['input'])}"
    return location, f"{where}{_in_words(first, _fields_at(model, location))}"


_TYPES = {"bool": "true or false", "int": "a whole number", "str": "text in quotes"}
"""In plain words the types that a value of several types may have."""


def _plain(location: Location) -> Location:
    """A location of the schema's as one in the data: without the type that was tried."""
    return tuple(part for part in location if not (isinstance(part, str) and (part in _TYPES or "[" in part)))


def shown(value: object) -> str:
    """A value in one short line, as messages show it."""
    text = str(value) if isinstance(value, date | time) else repr(value)
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 3]}..."


def dotted(location: Location) -> str:
    """A location in one word, as messages show it: entries of lists count from 1."""
    return ".".join(str(part + 1) if isinstance(part, int) else part for part in location)


def place_in(path: Path, location: Location) -> str:
    """File and line of a location in a TOML file that has been read before, for messages."""
    try:
        line = line_of(read_text(path), location)
    except InputError:
        line = None
    return f"{path}, line {line}" if line else str(path)


def _fields_at(model: type[BaseModel], location: Sequence[str | int]) -> list[str]:
    """Names of the fields of the table in which a location lies."""
    table: type[BaseModel] = model
    for part in location[:-1]:
        fields = _by_key(table)
        if isinstance(part, int) or part not in fields:
            continue
        inner = [arg for arg in _arguments(fields[part].annotation) if isinstance(arg, type)]
        tables = [arg for arg in inner if issubclass(arg, BaseModel)]
        if not tables:
            return []
        table = tables[0]
    return list(_by_key(table))


def _by_key(table: type[BaseModel]) -> dict[str, FieldInfo]:
    """The fields of a table by the keys under which a file has them."""
    aliases = {name: field.validation_alias for name, field in table.model_fields.items()}
    return {alias if isinstance(alias, str) else name: table.model_fields[name] for name, alias in aliases.items()}


def _arguments(annotation: Any) -> list[Any]:
    arguments = getattr(annotation, "__args__", ())
    return [annotation] if not arguments else [found for argument in arguments for found in _arguments(argument)]


def _in_words(first: Any, known: list[str]) -> str:
    kind, value = first["type"], first["input"]
    limits = first.get("ctx", {})
    if kind == "extra_forbidden":
        return f"unknown key{suggestion(str(first['loc'][-1]), known)}"
    if kind == "missing":
        return "this key is missing"
    if kind == "greater_than_equal":
        return f"must be at least {limits['ge']}, not {str(value)[:MOST_SHOWN]}"
    if kind == "less_than_equal":
        return f"must be at most {limits['le']}, not {str(value)[:MOST_SHOWN]}"
    if kind in ("int_type", "int_parsing", "int_from_float"):
        return f"must be a whole number, not {shown(value)}"
    if kind == "string_type":
        return f"must be text in quotes, not {shown(value)}"
    if kind in ("bool_type", "bool_parsing"):
        return f"must be true or false, not {shown(value)}"
    if kind in ("model_type", "dict_type"):
        return f"must be a table, not {shown(value)}"
    if kind in ("list_type", "tuple_type"):
        return f"must be a list, not {shown(value)}"
    if kind == "too_short":
        return f"needs at least {limits['min_length']}, not {limits['actual_length']}"
    if kind == "literal_error":
        return f"must be {limits['expected']}, not {shown(value)}"
    if kind == "value_error":
        return str(limits["error"])
    return f"{str(first['msg'])[:1].lower()}{str(first['msg'])[1:]}, not {shown(value)}"


def line_of(text: str, location: Location) -> int | None:
    """The line (from 1) of a TOML text on which the value at `location` begins, or the nearest table around it."""
    counts: dict[Location, int] = {}
    here: Location = ()
    best, depth = None, 0
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.match(r"\s*(\[\[?)\s*([^\[\]]+?)\s*\]", line):
            here = _header_location(header[2], header[1] == "[[", counts)
            found = here
        elif key := re.match(r'\s*("[^"]*"|[\w.-]+)\s*=', line):
            found = here + tuple(_words(key[1]))
        else:
            continue
        shared = min(len(found), len(location))
        if shared > depth and found[:shared] == location[:shared]:
            best, depth = number, shared
    return best


def _words(dotted: str) -> list[str]:
    return [word.strip().strip("\"'") for word in re.findall(r'"[^"]*"|[^.]+', dotted)]


def _header_location(dotted: str, array: bool, counts: dict[Location, int]) -> Location:
    here: Location = ()
    words = _words(dotted)
    for place, word in enumerate(words):
        here += (word,)
        if array and place == len(words) - 1:
            counts[here] = counts.get(here, -1) + 1
        if here in counts:
            here += (counts[here],)
    return here
