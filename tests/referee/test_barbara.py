"""Get Barbara: what may be played, what a special move does, what a joker cancels."""

import msgspec
import pytest
from table import ANN, BOB, CY, PLAYERS

from referee import Problem, load
from referee.barbara import JOKER, Pile, cancel, face_of, moves
from referee.rules import Move

BARBARA = load("get-barbara")


def house(**switches):
    return msgspec.structs.replace(BARBARA, play=msgspec.structs.replace(BARBARA.play, **switches))


def ask(top, hand, barbaras="", jokers=0, ruleset=BARBARA):
    """The legal cards of a hand as one text, and the code of each refusal."""
    pile = Pile(ruleset, top, tuple(barbaras), jokers)
    assert list(pile.problems(hand.split())) == []
    ruling = pile.ruling(hand.split())
    return " ".join(ruling.legal), {card: why.code for card, why in ruling.refused.items()}


def says(top, card, barbaras="", jokers=0, ruleset=BARBARA):
    return Pile(ruleset, top, tuple(barbaras), jokers).barred(card).says


def test_a_card_of_the_suit_or_the_rank_of_the_top_card_is_allowed_and_another_refused():
    assert ask("7S", "2S 7D 4D") == ("2S 7D", {"4D": "play-does-not-fit"})
    assert says("TS", "4D") == "4♦ has neither the suit nor the rank of 10♠, nor the suit of a Barbara before you."


def test_the_suit_of_a_barbara_before_the_player_will_do_and_that_of_another_will_not():
    assert ask("7S", "4D 4H", barbaras="D") == ("4D", {"4H": "play-does-not-fit"})


def test_matching_the_suit_of_a_barbara_is_no_duty():
    assert ask("7S", "4D 2S", barbaras="D") == ("4D 2S", {})


def test_a_round_starts_with_any_card_but_a_joker():
    assert ask(None, "4D KH joker") == ("4D KH", {"joker": "play-joker"})


def test_a_joker_is_never_played_in_turn():
    assert ask("AS", "joker")[1] == {"joker": "play-joker"}
    assert says("AS", JOKER) == "A joker is played out of turn only, to cancel an ace, jack or king."


def test_who_cannot_play_takes_a_barbara():
    assert Pile(BARBARA, "7S").ruling(["4D", JOKER]).may_pass
    assert not Pile(BARBARA, "7S").ruling(["4S"]).may_pass


@pytest.mark.parametrize(
    ("card", "name"), [("AS", "Move"), ("JD", "Pass"), ("KH", "Swap"), (JOKER, "Cancel"), ("7S", None)]
)
def test_what_a_card_does_is_told_by_the_rulebook(card, name):
    move = moves(BARBARA, card)
    assert (move and move.name) == name


def test_a_table_may_have_moves_of_its_own():
    turned = house(moves=(Move(card="8", name="Reverse", says="Play turns round."),))
    assert moves(turned, "8C").says == "Play turns round."
    assert moves(turned, "AS") is None


# Jokers


def cancelled(top, jokers=0, ruleset=BARBARA, blocked=ANN):
    found = cancel(Pile(ruleset, top, (), jokers), blocked, PLAYERS)
    return found.plays_on, [sentence.says for sentence in found.says]


@pytest.mark.parametrize(("top", "what"), [("AS", "Ace, Move"), ("JD", "Jack, Pass"), ("KH", "King, Swap")])
def test_a_joker_cancels_the_move_of_an_ace_a_jack_or_a_king(top, what):
    assert cancelled(top) == (
        BOB,
        [
            f"{what}: it does not happen.",
            "The joker is laid aside.",
            "Play goes on with Bob, to the left of Ann.",
        ],
    )


def test_play_goes_on_round_the_table():
    assert cancelled("AS", blocked=3)[0] == ANN
    assert cancelled("AS", blocked=BOB)[0] == CY


@pytest.mark.parametrize("top", ["7S", None])
def test_a_joker_cancels_nothing_else(top):
    found = cancel(Pile(BARBARA, top), ANN, PLAYERS)
    assert isinstance(found, Problem)
    assert found.code == "play-joker"


def test_a_table_may_give_the_joker_to_the_blocked_player():
    assert cancelled("AS", ruleset=house(joker_to_blocked=True))[1][1] == "Ann takes the joker into his hand."


def test_a_table_may_have_the_first_joker_bar_the_barbaras_suits_until_the_second():
    barring = house(joker_bars_suits=True)
    assert ask("7S", "4D 2S", barbaras="DS", ruleset=barring) == ("4D 2S", {})
    assert ask("7S", "7D 2S 7H", barbaras="DS", jokers=1, ruleset=barring) == (
        "7H",
        {"7D": "play-barred-suit", "2S": "play-barred-suit"},
    )
    assert ask("7S", "4D 2S", barbaras="DS", jokers=2, ruleset=barring) == ("4D 2S", {})
    assert ask("7S", "4D 2S", barbaras="DS", jokers=1) == ("4D 2S", {})
    assert says("7S", "7D", "D", 1, barring) == (
        "7♦ is barred until the second joker: the Barbara of ♦ lies before you."
    )


def test_a_joker_that_bars_suits_says_so():
    barring = house(joker_bars_suits=True)
    assert "Until the next joker nobody plays the suit of a Barbara before him." in cancelled("AS", 0, barring)[1]
    assert "The suits of the Barbaras may be played again." in cancelled("AS", 1, barring)[1]


def test_a_joker_has_a_face():
    assert (face_of(JOKER), face_of("TS")) == ("Joker", "10♠")
