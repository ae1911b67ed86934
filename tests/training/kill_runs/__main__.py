"""Starts the trials; workers load this page first, and it loads nothing for them."""

if __name__ == "__main__":
    from tests.training.kill_runs.trials import main

    raise SystemExit(main())
