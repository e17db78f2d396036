"""The time of `simkit --help`, beside that of Python itself."""

import sys

from measure import seconds, simkit_command, tell


def main() -> None:
    """Start both seven times and print the medians."""
    help_page = seconds(simkit_command("--help"), 7)
    bare = seconds([sys.executable, "-P", "-c", "pass"], 7)
    tell("simkit --help, seconds", f"{help_page:.2f}", "0.5")
    tell("simkit --help over bare Python", f"{help_page / bare:.1f}")


if __name__ == "__main__":
    main()
