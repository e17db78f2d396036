"""`python -m simkit`, where the command itself is not on the path."""

from simkit.cli import main

main()
