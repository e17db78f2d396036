"""From a study's seed to the key of its dice."""

import secrets

import numpy as np

SEED_BITS = 32


def drawn_seed() -> int:
    """A seed from the operating system's entropy, short enough to type again."""
    return secrets.randbits(SEED_BITS)


def key_words(seed: int) -> tuple[int, int]:
    """The two 32-bit words that key the dice of every battle of a study, mixed by `numpy.random.SeedSequence`.

    Args:
        seed: any whole number from 0; neighbouring seeds give unrelated keys.
    """
    low, high = np.random.SeedSequence(seed).generate_state(2, np.uint32)
    return int(low), int(high)
