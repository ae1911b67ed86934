"""`python -m training` is the `prico` command."""

from training.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
