"""Suits, ranks and cards, written as in match files: rank then suit, ``"KH"``."""

SUITS = "SHDC"
RANKS = "23456789TJQKA"
SUIT_NAMES = {"S": "Spades", "H": "Hearts", "D": "Diamonds", "C": "Clubs"}
SUIT_GLYPHS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
RANK_NAMES = {rank: rank for rank in RANKS} | {"T": "10", "J": "Jack", "Q": "Queen", "K": "King", "A": "Ace"}


def cards(patterns: tuple[str, ...]) -> frozenset[str]:
    """The cards that patterns name: ``"KH"`` one card, ``"Q*"`` a rank, ``"*S"`` a suit."""
    return frozenset(
        rank + suit
        for pattern in patterns
        for rank in (RANKS if pattern[0] == "*" else pattern[0])
        for suit in (SUITS if pattern[1] == "*" else pattern[1])
    )
