"""How the memory of freed arrays is handled."""

import platform
import subprocess
import sys

import pytest

FREED_AGAIN_AND_AGAIN = """
import resource
import numpy as np
from prico_training.machine import give_large_memory_back, keep_freed_memory
{0}()
def page_faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt
def work():
    arrays = [np.ones(2_000_000, np.uint8) for _ in range(8)]
work()
before = page_faults()
for _ in range(20):
    work()
print(page_faults() - before)
"""


def page_faults_after(function):
    done = subprocess.run(
        [sys.executable, "-c", FREED_AGAIN_AND_AGAIN.format(function)],
        capture_output=True,
        text=True,
        check=True,
    )
    return int(done.stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="it is glibc that is told")
def test_memory_is_kept_for_who_learns_and_given_back_by_who_serves():
    """320 MB in pages of 4 KiB are some 80,000 faults, in huge pages of 2 MiB still 160."""
    kept = page_faults_after("keep_freed_memory")
    assert page_faults_after("give_large_memory_back") > 100 + 3 * kept
