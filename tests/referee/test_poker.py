"""Four hands of poker as cards: what each row is called, who beats whom, who fouls."""

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from table import ANN, BOB, CY, DEE, PLAYERS

from referee.judging import ROW_RANKINGS
from referee.poker import CARDS, Showdown, problems, read_cards, showdown, standing
from referee.rules import ROWS

Told = tuple[str, str, str]

ANNS = "KH KD 5S", "7H 7D 7S 2C 3C", "AH JH 9H 6H 2H"
BOBS = "KS KC 4D", "TS 9S 8D 7C 6S", "3H 3D 3S 4C 4H"
CYS = "AC QC TC", "5H 5D 8C 8H 2S", "QS JS TD 9C 8S"
DEES = "AS QD TH", "6C 6D 4S 5C QH", "JC JD AD 9D 2D"
ANNS_FRONT_IS_TOO_GOOD = "7H 7D 7S", "KH KD 5S 2C 3C", "AH JH 9H 6H 2H"
DEES_BACK_IS_TOO_BAD = "AS QD TH", "JC JD AD 9D 2D", "6C 6D 4S 5C QH"


def laid(*hands: Told) -> list[dict[str, tuple[str, ...]]]:
    return [dict(zip(ROWS, map(read_cards, rows), strict=True)) for rows in hands]


def compared(*hands: Told) -> Showdown:
    assert wrong(*hands) == []
    return showdown(laid(*hands))


def wrong(*hands: Told) -> list[tuple[str, str]]:
    return [(found.code, found.where) for found in problems(laid(*hands), PLAYERS.__getitem__)]


def deal(rng: random.Random) -> list[dict[str, list[str]]]:
    deck = rng.sample(sorted(CARDS), 52)
    return [
        {"front": own[:3], "middle": own[3:8], "back": own[8:]} for own in (deck[n : n + 13] for n in range(0, 52, 13))
    ]


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("AC QC TC", "ace high"),
        ("2C 3C 4C", "four high"),
        ("6H KD 6S", "pair of sixes"),
        ("9H 9D 9S", "three nines"),
        ("AC QC TC 8D 2S", "ace high"),
        ("TC 3H TD 8D 2S", "pair of tens"),
        ("JC 3H JD 8D 3S", "two pairs, jacks and threes"),
        ("2C 2H 2D 8D 3S", "three twos"),
        ("TC 9H 8D 7D 6S", "straight to the ten"),
        ("AC KH QD JD TS", "straight to the ace"),
        ("AC 2H 3D 4D 5S", "straight to the five"),
        ("QC 2C 9C 4C 5C", "flush, queen high"),
        ("KC KH 2D 2C KD", "full house, kings over twos"),
        ("8C 8H 8D 8S AD", "four eights"),
        ("8C 7C 6C 5C 4C", "straight flush to the eight"),
        ("AC 2C 3C 4C 5C", "straight flush to the five"),
    ],
)
def test_a_row_in_words(cards: str, words: str):
    assert standing(cards.split()).says.says == words


@pytest.mark.parametrize("cards", ["AC KC QC", "2C 3C 4C"])
def test_a_front_knows_neither_straights_nor_flushes(cards: str):
    assert standing(cards.split()).category == "High card"


@pytest.mark.parametrize(
    "order",
    [
        ["2C 2D 2H", "AC AD KH", "3C 3D 4H", "3H 3S 2S", "AS KD QD", "AH KC JD", "5H 3S 2C"],
        [
            "6C 5C 4C 3C 2C",
            "AD 2D 3D 4D 5D",
            "2C 2D 2H 2S 3D",
            "3D 3H 3S 2C 2D",
            "AS JS 9S 5S 3S",
            "6C 5H 4D 3D 2S",
            "AC 2H 3D 4D 5S",
            "AC AD KC KD QS",
            "AH KD QS JS 9C",
        ],
    ],
    ids=["three cards", "five cards"],
)
def test_the_better_one_comes_first(order: list[str]):
    standings = [standing(cards.split()) for cards in order]

    assert all(better.order > worse.order for better, worse in pairwise(standings))


def test_suits_never_break_a_tie():
    assert standing(["AC", "QC", "TC"]).order == standing(["AS", "QD", "TH"]).order
    assert standing(["AC", "QC", "TC", "9D", "2S"]).order == standing(["AS", "QD", "TH", "9C", "2C"]).order


def test_the_rows_are_worked_out_with_their_ties():
    found = compared(ANNS, BOBS, CYS, DEES)

    assert found.fouls == {}
    assert found.groups == {
        "front": ((ANN,), (BOB,), (CY, DEE)),
        "middle": ((BOB,), (ANN,), (CY,), (DEE,)),
        "back": ((BOB,), (ANN,), (CY,), (DEE,)),
    }
    assert found.result.beats["front"] == {ANN: 3, BOB: 2, CY: 0.5, DEE: 0.5}


@pytest.mark.parametrize(
    ("hands", "fouls", "words"),
    [
        ((ANNS, BOBS, CYS, DEES_BACK_IS_TOO_BAD), DEE, "The middle, pair of jacks, beats the back, pair of sixes."),
        (
            (ANNS_FRONT_IS_TOO_GOOD, BOBS, CYS, DEES),
            ANN,
            "The front, three sevens, beats the middle, pair of kings.",
        ),
    ],
    ids=["back", "middle"],
)
def test_a_fouled_hand_loses_every_row(hands: tuple[Told, ...], fouls: int, words: str):
    found = compared(*hands)

    assert [(seat, foul.says.says) for seat, foul in found.fouls.items()] == [(fouls, words)]
    assert all(fouls not in group for row in ROWS for group in found.groups[row])
    assert [found.result.beats[row][fouls] for row in ROWS] == [0, 0, 0]


def test_two_fouled_hands_tie_with_each_other():
    found = compared(ANNS_FRONT_IS_TOO_GOOD, BOBS, CYS, DEES_BACK_IS_TOO_BAD)

    assert found.fouls.keys() == {ANN, DEE}
    assert found.result.beats == {
        "front": {BOB: 3, CY: 2, ANN: 0.5, DEE: 0.5},
        "middle": {BOB: 3, CY: 2, ANN: 0.5, DEE: 0.5},
        "back": {BOB: 3, CY: 2, ANN: 0.5, DEE: 0.5},
    }


@pytest.mark.parametrize(
    ("front", "middle", "is_fouled"),
    [
        ("KH KD 5S", "KS KC 4D 3D 2D", True),
        ("KH KD 4S", "KS KC 4D 3D 2D", False),
        ("AH QD 5S", "AS QC 4D 3D 2D", True),
        ("AH QD 5S", "AS QC 5D 3D 2D", False),
        ("AH KD QS", "AS 2C 3D 4D 5D", False),
    ],
)
def test_a_front_and_a_middle_are_compared_as_far_as_the_front_goes(front: str, middle: str, is_fouled: bool):
    back = "9S 9C 9D 9H 8D"

    found = showdown(laid((front, middle, back)))

    assert (ANN in found.fouls) == is_fouled


def test_a_wheel_is_the_lowest_straight():
    found = showdown(laid(("2H 3H 4H", "AS 2C 3D 4D 5D", "6S 5C 4C 3C 2D")))

    assert found.fouls == {}


def test_every_fault_is_told_at_its_row():
    short = "KH KD", "7H 7D 7S 2C 3C 4C", "AH JH 9H 6H 2H"

    assert wrong(short, BOBS, CYS, DEES) == [
        ("card-count", "front-0"),
        ("card-count", "middle-0"),
        ("card-twice", "back-1"),
    ]
    assert wrong(("KH KD X9", *ANNS[1:]), BOBS, CYS, DEES) == [("unknown-card", "front-0")]


def test_a_card_that_lies_twice_is_told_with_both_places():
    [found] = problems(laid(("KH KD KS", *ANNS[1:]), BOBS, CYS, DEES), PLAYERS.__getitem__)

    assert found.says == "Bob, front row: K♠ lies in the front row of Ann already."


@pytest.mark.parametrize(
    "text",
    [
        "KH 10S 9D",
        "kh,ts,9d",
        "KHTS9D",
        "kh10s9d",
        "K♥ 10♠ 9♦",
        "K♥\ufe0f10♠\ufe0e9♢",
        "HK S10 D9",
        "hkstd9",
        "♥K♠10♦9",
        "K H 10 S 9 D",
        "KH S10 9D",
    ],
)
def test_cards_are_read_as_anybody_writes_them(text: str):
    assert read_cards(text) == ("KH", "TS", "9D")


def test_what_is_no_card_stays_as_it_was_typed():
    assert read_cards("KH Kx 10") == ("KH", "Kx", "10")
    assert read_cards(" ") == ()


@given(st.randoms(use_true_random=False))
def test_any_deal_gives_units_that_four_players_can_have(rng: random.Random):
    hands = deal(rng)

    assert list(problems(hands, PLAYERS.__getitem__)) == []
    found = showdown(hands)
    for row in ROWS:
        assert tuple(sorted(found.result.beats[row].values(), reverse=True)) in ROW_RANKINGS
        placed = [seat for group in found.groups[row] for seat in group]
        assert sorted([*placed, *found.fouls]) == [ANN, BOB, CY, DEE]


@given(st.lists(st.sampled_from(sorted(CARDS)), min_size=10, max_size=10, unique=True))
def test_five_cards_are_as_strong_between_rows_as_within_one(cards: list[str]):
    """What decides between a front and a middle says the same as the list that decides between fives."""
    one, other = standing(cards[:5]), standing(cards[5:])

    assert (one.index < other.index) == (one.strength < other.strength)
    assert (one.index == other.index) == (one.strength == other.strength)
