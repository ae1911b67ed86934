"""Look-ups at the command line: ``python -m prico_env action 117``."""

import sys

from prico_env.look_up import main

if __name__ == "__main__":
    sys.exit(main())
