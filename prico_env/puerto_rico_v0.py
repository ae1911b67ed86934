"""The environment the way PettingZoo's own are imported.

>>> from prico_env import puerto_rico_v0
>>> env = puerto_rico_v0.env(players=3)
>>> env.reset(seed=7)
>>> env.agents
['player_0', 'player_1', 'player_2']
"""

from prico_env.envs.aec import env, parallel_env, raw_env

__all__ = ["env", "parallel_env", "raw_env"]
