"""From a seed to the key of the dice."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from simkit.batch.seeds import SEED_BITS, drawn_seed, key_words


@given(st.integers(0, 2**63 - 1))
def test_key_is_two_words_of_the_seed_sequence(seed: int) -> None:
    words = key_words(seed)
    assert list(words) == list(np.random.SeedSequence(seed).generate_state(2, np.uint32))
    assert all(0 <= word < 2**32 for word in words)


def test_key_does_not_change_between_versions() -> None:
    assert key_words(1862) == (2574391316, 3834813131)
    assert key_words(0) == (2968811710, 3677149159)


def test_neighbouring_seeds_share_no_word() -> None:
    words = [word for seed in range(1000) for word in key_words(seed)]
    assert len(set(words)) == len(words)


def test_drawn_seeds_are_short_and_differ() -> None:
    seeds = {drawn_seed() for _ in range(50)}
    assert len(seeds) == 50
    assert max(seeds) < 2**SEED_BITS
