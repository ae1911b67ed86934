"""Short programs that use the game from other libraries, to be copied and changed.

Each one runs by itself, such as ``python -m prico_training.examples.sb3_maskable_ppo``, and says
which versions it was tried with. For RLlib see `prico_training.learning.rllib`.
"""
