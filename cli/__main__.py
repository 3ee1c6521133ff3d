"""Starts the `parley` command, and says which extra is missing if it or one of its commands cannot be imported."""

import sys

from libs.runtime.extras import missing_extra


def main() -> None:
    """Entry point."""
    try:
        from cli.app import command_line

        command_line()()
    except ModuleNotFoundError as error:
        if (missing := missing_extra(error)) is None:
            raise
        sys.exit(str(missing))
    except KeyboardInterrupt:  # before a command has begun
        sys.exit(130)


if __name__ == "__main__":
    main()
