"""What functions return that have several numbers to tell, with their types."""
from typing import NamedTuple


class Progress(NamedTuple):
    """What an iteration of the trainer did, and the totals so far."""

    iterations: int
    samples: int
    episodes: int
    mean_return: float
    mean_length: float
    mean_reward: float
    value_loss: float
    explained: float
    kl: float
    noise: float
    seconds: float


class Score(NamedTuple):
    """How episodes went: their number, how many lasted to the end, DeepMimic's normalised return, the mean length in s."""

    episodes: int
    lasted: int
    normalised: float
    seconds: float
