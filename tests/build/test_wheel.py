"""The build compiles the whole engine or packs no extension at all, says which, and leaves the source tree alone."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

needs_compiler = pytest.mark.skipif(
    not any(shutil.which(name) for name in ("cc", "gcc", "clang")), reason="there is no C compiler to build with"
)

ASK = """
import importlib
from simkit import engine
for name in engine.modules():
    importlib.import_module(name)
print(engine.compiled())
print(engine.code_hash())
print(engine.build_note())
"""

CC_THAT_FAILS = """#!/bin/sh
for word in "$@"; do
    case "$word" in *__native_*{group}.c) echo "refused: $word" >&2; exit 1 ;; esac
done
exec {compiler} "$@"
"""


@needs_compiler
def test_compiled_wheel_is_compiled_as_a_whole(
    reduced_copy: Path, build_wheel: Callable[..., Any], tree_sources: dict[str, Path], tmp_path: Path
) -> None:
    before = sorted(path for path in reduced_copy.rglob("*") if ".egg-info" not in str(path))
    wheel = build_wheel(reduced_copy)
    model = [name for name in tree_sources if name.startswith("simkit.model.")]
    for name in model:
        path = name.replace(".", "/")
        assert f"{path}.py" in wheel.names  # the source travels too, or the hash of the code would differ
        assert any(extension.startswith(f"{path}.") for extension in wheel.extensions)
    assert "simkit/build_note.txt" not in wheel.names
    compiled, compiled_hash, note = wheel.ask(ASK, tmp_path)
    assert (compiled, note) == ("True", "")
    assert "none-any" not in wheel.file.name

    wheel.file.unlink()
    shutil.rmtree(tmp_path / "unpacked")
    pure = build_wheel(reduced_copy, SIMKIT_PURE="1")
    assert pure.extensions == []
    assert pure.file.name.endswith("py3-none-any.whl")
    assert pure.ask(ASK, tmp_path) == ["False", compiled_hash, "SIMKIT_PURE is set"]
    assert sorted(path for path in reduced_copy.rglob("*") if ".egg-info" not in str(path)) == before


@needs_compiler
def test_an_engine_that_cannot_play_is_compiled_without_a_profile(
    reduced_copy: Path, build_wheel: Callable[..., Any], tmp_path: Path
) -> None:
    wheel = build_wheel(reduced_copy, SIMKIT_PROFILE="1")  # it has no battles to learn from
    assert wheel.ask(ASK, tmp_path)[0] == "True"
    asked = subprocess.run([os.environ.get("CC", "cc"), "--version"], capture_output=True, text=True)
    assert ("no profile of the engine" in wheel.output) == ("Free Software Foundation" in asked.stdout)


def no_compiler(copy: Path, tmp_path: Path) -> dict[str, str]:
    bare = tmp_path / "bin"
    bare.mkdir()
    (bare / "python").symlink_to(sys.executable)
    return {"PATH": str(bare), "CC": "cc"}


def broken_c_file(copy: Path, tmp_path: Path) -> dict[str, str]:
    compiler = tmp_path / "cc"
    real = next(found for name in ("cc", "gcc", "clang") if (found := shutil.which(name)))
    compiler.write_text(CC_THAT_FAILS.format(group="group1", compiler=real))
    compiler.chmod(0o755)
    return {"CC": str(compiler)}


def type_error(copy: Path, tmp_path: Path) -> dict[str, str]:
    (copy / "simkit" / "model" / "zz_faulty.py").write_text('"""Faulty."""\n\nCOUNT: int = "four"\n')
    return {}


def mypyc_does_not_import(copy: Path, tmp_path: Path) -> dict[str, str]:
    broken = tmp_path / "broken"
    (broken / "mypyc").mkdir(parents=True)
    (broken / "mypyc" / "__init__.py").write_text("raise ImportError('no librt for this machine')\n")
    return {"PYTHONPATH": str(broken)}


def does_not_load(copy: Path, tmp_path: Path) -> dict[str, str]:
    (copy / "simkit" / "model" / "zz_faulty.py").write_text('"""Faulty."""\n\nCOUNT: int = int("four")\n')
    return {}


@pytest.mark.parametrize(
    ("break_it", "reason"),
    [
        (no_compiler, "no C compiler with Python's headers works here"),
        pytest.param(broken_c_file, "the C compiler returned non-zero exit status", marks=needs_compiler),
        pytest.param(type_error, "mypyc does not accept the engine's source", marks=needs_compiler),
        pytest.param(mypyc_does_not_import, "no librt for this machine", marks=needs_compiler),
        pytest.param(does_not_load, "the built extensions do not load", marks=needs_compiler),
    ],
)
def test_any_failure_leaves_a_whole_interpreted_wheel(
    break_it: Callable[[Path, Path], dict[str, str]],
    reason: str,
    reduced_copy: Path,
    build_wheel: Callable[..., Any],
    tmp_path: Path,
) -> None:
    wheel = build_wheel(reduced_copy, **break_it(reduced_copy, tmp_path))
    assert wheel.extensions == []
    assert "engine NOT compiled" in wheel.output
    assert wheel.file.name.endswith("py3-none-any.whl")
    (reduced_copy / "simkit" / "model" / "zz_faulty.py").unlink(missing_ok=True)
    ask = ASK.replace("engine.modules()", "[n for n in engine.modules() if not n.endswith('zz_faulty')]")
    compiled, _, note = wheel.ask(ask, tmp_path)
    assert compiled == "False"
    assert reason in note


def test_compiling_in_the_source_tree_is_refused(reduced_copy: Path) -> None:
    pytest.importorskip("setuptools", minversion="77")
    done = subprocess.run(
        [sys.executable, "setup.py", "build_ext", "--inplace"], cwd=reduced_copy, capture_output=True, text=True
    )
    assert done.returncode != 0
    assert "never compiled in its source tree" in done.stderr
    assert list(reduced_copy.rglob("*.so")) + list(reduced_copy.rglob("*.pyd")) == []
