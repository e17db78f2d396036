"""Builds simkit: its engine compiled to C extensions by mypyc if all of it compiles, else no extension at all.

SIMKIT_PROFILE=1 in the environment asks to compile it twice, where the compiler is GCC: the first engine plays a few
battles, from which the compiler learns what runs often. SIMKIT_PURE=1 asks for no extensions. All else stands in
pyproject.toml.
"""

import atexit
import contextlib
import io
import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from sysconfig import get_config_var, get_path

from setuptools import Distribution, Extension, setup
from setuptools._distutils.ccompiler import new_compiler
from setuptools._distutils.sysconfig import customize_compiler
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build import build
from setuptools.command.build_ext import build_ext
from setuptools.errors import SetupError

TREE = Path(__file__).resolve().parent
ENGINE = runpy.run_path(str(TREE / "simkit" / "engine.py"))
LINES_OF_A_GROUP = 2000
PURE = os.environ.get("SIMKIT_PURE", "") not in ("", "0")
PROFILE = os.environ.get("SIMKIT_PROFILE", "") not in ("", "0")

# A fused multiply-add rounds once where the interpreter rounds twice. Nobody replaces a function of the engine in a
# running program, so the compiler may draw one into another.
FLAGS = [] if os.name == "nt" else ["-ffp-contract=off", "-fno-semantic-interposition"]
TO_LEARN = ["-fprofile-generate"]
LEARNT = ["-fprofile-use", "-fprofile-partial-training", "-Wno-missing-profile", "-Wno-coverage-mismatch"]

# The modules are imported below a bare `simkit`, as the build has none of the libraries that the real one may import.
IMPORT_ALL = """
import importlib, sys, types
root, *names = sys.argv[1:]
package = types.ModuleType("simkit")
package.__path__ = [root]
sys.modules["simkit"] = package
for name in names:
    file = importlib.import_module(name).__file__
    if file.endswith(".py"):
        sys.exit(f"{name} was imported from {file}")
"""

# What the compiler learns from: an attack, a march with cavalry and a whole day, so that most of the engine is at work.
LESSONS = ("dead_of_winter/dawn_attack:12", "dead_of_winter/eerie_silence:2", "dead_of_winter/day_of_battle:1")
PLAY = """
import importlib.util, os, sys
root, *lessons = sys.argv[1:]
start = os.path.join(root, "__init__.py")
spec = importlib.util.spec_from_file_location("simkit", start, submodule_search_locations=[root])
sys.modules["simkit"] = importlib.util.module_from_spec(spec)  # bare, but it knows its data files
from simkit.model.forces import SIDES
from simkit.play.game import Game
from simkit.rules.dice import KeyedDice
from simkit.scenario import build, load
from simkit.scenario.commanders import resolve
for lesson in lessons:
    name, runs = lesson.split(":")
    built = build(load(name))
    game = Game(built.battle, built.series, KeyedDice(1862, 0), [resolve("steady", side, built) for side in SIDES])
    for run in range(int(runs)):
        game.play(run)
"""


class NotCompiled(Exception):
    """Why the engine is not compiled."""


def reason(error: BaseException) -> str:
    """Say in one short line why the engine is not compiled."""
    text = (str(error).splitlines() or [""])[0]
    if command := re.search(r"Command '?\[.*'-c', '([^']+)',.* (returned .*)", text):
        return f"the C compiler {command[2].rstrip('.')} for {Path(command[1]).name}"
    return text[:300] if isinstance(error, NotCompiled) else f"{type(error).__name__}: {text}"[:300]


def groups(modules: dict[str, Path]) -> list[tuple[list[str], str | None]]:
    """Cut each package into groups of some 2,000 lines, (files, name): each group is one C file and one library.

    One library a module is twice the work, as each carries mypyc's runtime; one for all leaves the other cores idle.
    """
    cut: list[tuple[list[str], str | None]] = []
    lines, last = 0, ""
    for name, file in modules.items():
        package = name.rpartition(".")[0]
        if package != last or lines > LINES_OF_A_GROUP:
            cut.append(([], f"{package}._group{len(cut)}"))
            lines = 0
        cut[-1][0].append(os.path.relpath(file))
        lines += file.read_bytes().count(b"\n")
        last = package
    return cut


class WithExtensions(Distribution):
    """A distribution that has extensions, though they are not known before they are built."""

    def has_ext_modules(self) -> bool:
        """True until `build_ext` has found that it can build none."""
        return self.ext_modules is None or bool(self.ext_modules)


class BuildOutside(build):
    """`build` in a new temporary folder: nothing stale is packed and nothing is left in the source tree."""

    def initialize_options(self) -> None:
        """Set the folder; `--build-base` still overrides it."""
        super().initialize_options()
        self.build_base = tempfile.mkdtemp(prefix="simkit-build-")
        atexit.register(shutil.rmtree, self.build_base, ignore_errors=True)


class BuildEngine(build_ext):
    """`build_ext` that compiles the whole engine or nothing."""

    profiled = False

    def run(self) -> None:
        """Compile, link and import every engine module; after any failure remove them all and say why.

        Raises:
            SetupError: an extension would land in the source tree, where it hides edits of its source.
        """
        if PURE:
            return self.leave_interpreted("SIMKIT_PURE is set")
        if self.inplace:
            raise SetupError("simkit is never compiled in its source tree: install it with `pip install .`, "
                             "or set SIMKIT_PURE=1 for an editable install without extensions")
        self.run_command("build_py")
        try:
            self.compile_all()
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever failed, interpreted is better than not at all
            self.leave_interpreted(reason(error))
        else:
            told = "with the profile of battles" if self.profiled else "without a profile"
            print(f"simkit: engine compiled, {len(self.extensions)} extensions, {told}", file=sys.stderr)

    def compile_all(self) -> None:
        """Translate the engine to C, build its extensions and import each."""
        self.probe()
        from mypyc.build import mypycify

        modules: dict[str, Path] = ENGINE["sources"](TREE / "simkit")
        generated = Path(self.build_temp, "mypyc").absolute()
        options = [
            f"--config-file={os.devnull}",  # pyproject.toml asks for more than the build has installed
            f"--cache-dir={generated / 'cache'}",
            "--no-site-packages",
            "--ignore-missing-imports",
            "--follow-imports=skip",  # the engine imports nothing but itself
        ]
        grouped = groups(modules)
        files = [file for group, _ in grouped for file in group]
        said = io.StringIO()
        try:
            with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
                extensions = mypycify([*options, *files], separate=grouped, target_dir=str(generated), debug_level="0")
        except SystemExit as error:  # so it leaves, after it has printed what it found
            lines = said.getvalue().splitlines() or [f"exit code {error}"]
            found = [line for line in lines if ": error: " in line] or lines[-1:]
            raise NotCompiled(f"mypyc does not accept the engine's source: {found[0]}") from error
        finally:
            print(said.getvalue())
        given = list(extensions[0].extra_compile_args)
        try:
            self.profiled = PROFILE and self.learn(extensions, given)
            self.build_extensions_with(extensions, [*given, *(LEARNT if self.profiled else [])], [])
        except Exception as error:
            if not PROFILE:
                raise
            print(f"simkit: no profile of the engine ({reason(error)})", file=sys.stderr)
            self.profiled = False
            self.build_extensions_with(extensions, given, [])
        self.import_all(list(modules))

    def build_extensions_with(self, extensions: list[Extension], flags: list[str], link_flags: list[str]) -> None:
        """Compile all extensions with some flags besides those of every build."""
        for extension in extensions:
            extension.extra_compile_args = [*flags, *FLAGS]
            extension.extra_link_args = link_flags
        self.distribution.ext_modules = extensions
        compiler = build_ext(self.distribution)  # a fresh one: a command learns the extensions when it is finalized
        compiler.build_lib, compiler.build_temp = self.build_lib, self.build_temp
        compiler.parallel = self.parallel or os.cpu_count()
        compiler.force = True
        compiler.ensure_finalized()
        compiler.run()
        self.extensions = compiler.extensions

    def learn(self, extensions: list[Extension], flags: list[str]) -> bool:
        """Build the engine so that it counts what it does, and play; False where the compiler is not GCC.

        The counts lie beside the object files, where the compiler looks for them when it makes these anew.

        Raises:
            NotCompiled: it could not play.
        """
        compiler = shlex.split(os.environ.get("CC") or get_config_var("CC") or "cc")
        asked = subprocess.run([*compiler, "--version"], capture_output=True, text=True)
        if "Free Software Foundation" not in asked.stdout:
            return False
        self.build_extensions_with(extensions, [*flags, *TO_LEARN], TO_LEARN)
        root = Path(self.build_lib, "simkit").absolute()
        done = subprocess.run([sys.executable, "-c", PLAY, str(root), *LESSONS], capture_output=True, text=True)
        if done.returncode != 0:
            raise NotCompiled((done.stderr.strip() or "killed").splitlines()[-1])
        return True

    def probe(self) -> None:
        """Compile one line, so that a missing compiler is known at once and not after the translation.

        Raises:
            NotCompiled: no C compiler works here, or Python's headers are missing.
        """
        compiler = new_compiler()
        customize_compiler(compiler)
        source = Path(self.build_temp, "probe.c").absolute()
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_text("#include <Python.h>\n", encoding="utf-8")
        try:
            compiler.compile([str(source)], output_dir=self.build_temp, include_dirs=[get_path("include")])
        except Exception as error:
            raise NotCompiled(f"no C compiler with Python's headers works here: {reason(error)}") from error

    def import_all(self, names: list[str]) -> None:
        """Import every module from the folder built in: an extension can compile and still not load.

        Raises:
            NotCompiled: one did not load, or not as an extension.
        """
        root = Path(self.build_lib, "simkit").absolute()
        command = [sys.executable, "-c", IMPORT_ALL, str(root), *names]
        done = subprocess.run(command, capture_output=True, text=True, cwd=root)
        if done.returncode != 0:
            raise NotCompiled(f"the built extensions do not load: {(done.stderr.strip() or 'killed').splitlines()[-1]}")

    def leave_interpreted(self, reason: str) -> None:
        """Remove every extension, note the reason in the package and say it."""
        self.extensions = self.distribution.ext_modules = []
        package = Path(self.build_lib, "simkit")
        for file in ENGINE["extension_files"](package):
            file.unlink()
        if not self.inplace:
            package.mkdir(parents=True, exist_ok=True)
            (package / ENGINE["BUILD_NOTE"]).write_text(reason + "\n", encoding="utf-8")
        print(f"simkit: engine NOT compiled, no extension is packed, it runs interpreted ({reason})", file=sys.stderr)


class WheelAsBuilt(bdist_wheel):
    """`bdist_wheel` whose tag says what was built: this platform's, or any."""

    def run(self) -> None:
        """Build first, then tag."""
        self.run_command("build")
        self.skip_build = True  # or the install that it packs builds the extensions once more
        self.root_is_pure = not self.distribution.has_ext_modules()
        super().run()


setup(
    distclass=WithExtensions,
    cmdclass={"build": BuildOutside, "build_ext": BuildEngine, "bdist_wheel": WheelAsBuilt},
)
