"""The help desk: ``python -m prico_env action 117``."""

import sys

from prico_env.explain import main

if __name__ == "__main__":
    sys.exit(main())
