"""Who learns: training by self-play, ranking, and the `prico` command.

Importing this sets, before the numerical libraries are loaded, how their idle threads wait: asleep.
Spinning ones make a machine that is not idle many times slower. Whoever has set these variables
keeps their own choice.
"""

import os

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
