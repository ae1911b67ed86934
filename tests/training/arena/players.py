"""Players for tests of the arena: plain ones, and some that break everything."""

import ctypes
import itertools
import os
import random
import time
from pathlib import Path

import numpy as np


class Dice:
    """Plays any allowed action, without anything compiled."""

    def __init__(self, **settings):
        self.settings = settings
        self.chance = random.Random(0)

    def reset(self, seat, rules, seed):
        self.seat = seat
        self.chance = random.Random(seed)
        self.asked = 0

    def act(self, view):
        self.asked += 1
        return self.chance.choice(view.choices)


class Patient(Dice):
    """Thinks about each decision for a while when a test wants time to interrupt it."""

    def act(self, view):
        time.sleep(float(os.environ.get("PATIENCE", "0")))
        return super().act(view)


class Last(Dice):
    """Plays the last allowed action."""

    def act(self, view):
        return view.choices[-1]


class LastTogether(Last):
    """The same, in many games at once."""

    def act_batch(self, observations, legal):
        return legal.shape[1] - 1 - legal[:, ::-1].argmax(axis=1)


class DiceTogether(Dice):
    """Plays any allowed action, with one chance for all games it is asked about together."""

    def act_batch(self, observations, legal):
        return np.array([self.chance.choice(np.flatnonzero(row).tolist()) for row in legal])


class Raises(Dice):
    """Raises an error at its fourth decision."""

    def act(self, view):
        action = super().act(view)
        if self.asked == 4:
            raise ZeroDivisionError("four is too many")
        return action


class RaisesTogether(DiceTogether):
    """Raises an error when one of its games allows the thirteenth action."""

    def act_batch(self, observations, legal):
        if legal[:, 13].any():
            raise ZeroDivisionError("together")
        return super().act_batch(observations, legal)


class Leaves(Dice):
    """Tries to end the program."""

    def act(self, view):
        raise SystemExit(0)


class Cheats(Dice):
    """Takes what is not allowed."""

    def act(self, view):
        return int(np.flatnonzero(~view.legal)[0])


class Babbles(Dice):
    """Answers with words, although the words are right."""

    def act(self, view):
        return view.game.name(view.choices[0])


class Sleeps(Dice):
    """Falls asleep at its third decision."""

    def act(self, view):
        action = super().act(view)
        if self.asked == 3:
            time.sleep(60)
        return action


class Deaf(Dice):
    """Counts for ever at its third decision, in a way that nothing in its process interrupts."""

    def act(self, view):
        action = super().act(view)
        if self.asked == 3:
            sum(itertools.repeat(0))
        return action


class HangsForever(Dice):
    """Writes down its process and counts for ever, in a way that nothing in it interrupts."""

    def act(self, view):
        Path(os.environ["HANGS"]).write_text(str(os.getpid()))
        sum(itertools.repeat(0))


class Hungry(Dice):
    """Asks for more memory than there is."""

    def act(self, view):
        return bytes(10**15)


class Segfaults(Dice):
    """Reads from nowhere at its fifth decision."""

    def act(self, view):
        action = super().act(view)
        if self.asked == 5:
            ctypes.string_at(0)
        return action


class Exits(Dice):
    """Endings the process at its first decision."""

    def act(self, view):
        os._exit(3)


class CannotBeMade(Dice):
    """Has no way into the world."""

    def __init__(self):
        raise RuntimeError("no way into the world")


class DiesBeingMade(Dice):
    """Takes the process with it before it exists."""

    def __init__(self):
        os._exit(4)


class CannotSit(Dice):
    """Never sits down."""

    def reset(self, seat, rules, seed):
        raise RuntimeError("no chair is good enough")
