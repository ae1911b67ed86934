"""`python -m prico_training` is the `prico` command."""

from prico_training.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
