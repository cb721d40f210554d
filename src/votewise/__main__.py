"""`python -m votewise`: the command line, also if its script is not on the path."""

from votewise.cli import main

main()
