"""What may be played and why not: tricks, dominoes, and whole hands card by card."""

from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from table import ANN, BOB, CY, DEE, PLAYERS

from referee import Item, Result, Trick, load
from referee.cards import RANKS, SUIT_GLYPHS, SUITS
from referee.play import Layout, TrickRules, follow, read_card, read_columns
from referee.rules import Deck, Play
from tests.prove.play import (
    CONTRACTS,
    deal,
    play_tricks,
    prove_dominoes,
    prove_tricks,
    slow_codes,
    trick_rules,
)
from tests.referee import slow_rules

BARBU, KING = load("barbu"), load("king")


def house(ruleset=BARBU, **switches):
    return msgspec.structs.replace(ruleset, play=msgspec.structs.replace(ruleset.play, **switches))


def rules(contract, trump=None, ruleset=BARBU):
    return TrickRules(ruleset, ruleset.contract(contract), trump)


def ask(contract, trick, hand, trump=None, ruleset=BARBU, heart_discarded=False):
    """The legal cards of a hand, as one text, and the code of each refusal."""
    ruling = rules(contract, trump, ruleset).ruling(trick.split(), hand.split(), heart_discarded=heart_discarded)
    return " ".join(ruling.legal), {card: problem.code for card, problem in ruling.refused.items()}


def says(contract, trick, hand, trump=None, ruleset=BARBU):
    """Why cards of a hand are refused."""
    ruling = rules(contract, trump, ruleset).ruling(trick.split(), hand.split())
    return [problem.says for problem in ruling.refused.values()]


def refused(cards, code):
    return dict.fromkeys(cards.split(), code)


# Following suit, and who wins


def test_a_card_of_the_suit_led_is_allowed_and_any_other_refused_while_one_is_held():
    assert ask("misere", "QD 8D", "2D AD 5S KH") == ("2D AD", refused("5S KH", "play-revoke"))
    assert says("misere", "QD", "5S TD 2D") == ["Q♦ was led: 5♠ does not follow suit, and you hold 10♦ which does."]


def test_who_is_void_may_play_anything():
    assert ask("misere", "QD", "5S KH AC") == ("5S KH AC", {})


def test_anything_may_be_led_in_most_contracts():
    for contract in ("misere", "no-queens", "no-last-two"):
        assert ask(contract, "", "QH 5S") == ("QH 5S", {})
    assert ask("trumps", "", "QH 5S", trump="H") == ("QH 5S", {})


def test_nothing_is_asked_of_a_hand_without_cards():
    assert ask("misere", "QD", "") == ("", {})


def test_the_highest_card_of_the_suit_led_wins():
    assert rules("misere").winning(["8D", "AS", "TD", "9D"]) == "TD"


def test_the_highest_trump_wins():
    assert rules("trumps", "S").winning(["AD", "2S", "KD", "3S"]) == "3S"


def test_nobody_wins_before_a_card_is_led():
    assert rules("misere").winning([]) is None


def test_ranks_go_by_the_deck_of_the_game():
    coup = load("coup-detat")
    assert TrickRules(coup, coup.contract("queens")).winning(["KD", "TD", "QD"]) == "TD"


# Leading hearts


@pytest.mark.parametrize("contract", ["barbu", "no-hearts"])
def test_no_heart_may_be_led_while_another_suit_is_held(contract):
    assert ask(contract, "", "2H KH 5S") == ("5S", refused("2H KH", "play-heart-lead"))
    assert ask(contract, "", "2H KH 5S", heart_discarded=True)[0] == "5S"
    assert says(contract, "", "2H 5S") == ["2♥ may not be led while another suit is held, and you hold 5♠."]


@pytest.mark.parametrize("contract", ["barbu", "no-hearts"])
def test_a_heart_may_be_led_when_nothing_else_is_held(contract):
    assert ask(contract, "", "2H KH") == ("2H KH", {})


@pytest.mark.parametrize("contract", ["barbu", "no-hearts"])
def test_in_king_a_heart_may_be_led_once_one_was_discarded_and_not_before(contract):
    assert ask(contract, "", "2H 5S", ruleset=KING, heart_discarded=True) == ("2H 5S", {})
    assert ask(contract, "", "2H 5S", ruleset=KING) == ("5S", refused("2H", "play-heart-lead"))
    assert ask(contract, "", "2H", ruleset=KING) == ("2H", {})
    assert says(contract, "", "2H 5S", ruleset=KING) == [
        "No heart has been discarded yet: 2♥ may not be led while another suit is held, and you hold 5♠."
    ]


def test_a_table_may_let_hearts_be_led_at_any_time():
    assert ask("barbu", "", "2H 5S", ruleset=house(hearts_lead="free")) == ("2H 5S", {})


def test_which_contracts_hold_hearts_back_is_told_by_their_cards_and_not_by_their_names():
    king_of_spades = msgspec.structs.replace(BARBU.contract("barbu").items[0], cards=("KS",))
    contract = msgspec.structs.replace(BARBU.contract("barbu"), items=(king_of_spades,))
    assert TrickRules(BARBU, contract).ruling((), ("2H", "5S")).refused == {}


# Trumps


def test_who_is_void_must_trump():
    assert ask("trumps", "QC", "6S 4H AD", trump="S") == ("6S", refused("4H AD", "play-must-trump"))
    assert says("trumps", "QC", "6S 4H", trump="S") == [
        "You cannot follow Q♣ and must trump: 4♥ is no trump, and you hold 6♠."
    ]


def test_who_follows_suit_need_not_trump():
    assert ask("trumps", "QC", "2C 6S", trump="S") == ("2C", refused("6S", "play-revoke"))


def test_who_follows_suit_need_not_beat_anything():
    assert ask("trumps", "QC 9S", "2C AC", trump="S") == ("2C AC", {})


def test_who_trumps_a_trumped_trick_must_go_over_if_he_can():
    assert ask("trumps", "QC 9S", "JS 6S 4H", trump="S") == (
        "JS",
        {"6S": "play-must-overtrump", "4H": "play-must-trump"},
    )
    assert says("trumps", "QC 9S", "JS 6S", trump="S") == ["6♠ does not beat 9♠, and you hold J♠ which does."]


def test_who_cannot_go_over_plays_any_card_a_lower_trump_included():
    assert ask("trumps", "QC 9S", "6S 4H", trump="S") == ("6S 4H", {})


def test_in_king_who_cannot_go_over_must_play_a_lower_trump():
    assert ask("trumps", "QC 9S", "6S 4H", trump="S", ruleset=KING) == (
        "6S",
        refused("4H", "play-must-trump"),
    )


def test_who_has_neither_the_suit_nor_a_trump_plays_any_card():
    assert ask("trumps", "QC 9S", "4H 5D", trump="S", ruleset=KING) == ("4H 5D", {})


def test_a_trump_lead_must_be_beaten_if_possible():
    assert ask("trumps", "9S 2S", "JS 6S 4H", trump="S") == (
        "JS",
        {"6S": "play-must-beat", "4H": "play-revoke"},
    )
    assert says("trumps", "9S", "JS 6S", trump="S") == ["6♠ does not beat 9♠, and you hold J♠ which does."]


def test_the_highest_trump_so_far_is_to_be_beaten_not_the_one_led():
    assert ask("trumps", "9S QS", "JS 6S KS", trump="S") == ("KS", refused("JS 6S", "play-must-beat"))


def test_who_cannot_beat_a_trump_lead_follows_with_a_lower_trump():
    assert ask("trumps", "9S", "6S 2S 4H", trump="S") == ("6S 2S", refused("4H", "play-revoke"))


def test_a_table_may_let_a_trump_lead_go_unbeaten():
    ruleset = house(beat_trump_lead=False)
    assert ask("trumps", "9S", "JS 6S", trump="S", ruleset=ruleset) == ("JS 6S", {})


def test_no_duty_to_beat_a_lead_that_is_no_trump():
    assert ask("trumps", "9C", "JC 6C", trump="S") == ("JC 6C", {})


# Penalty cards


@pytest.mark.parametrize(
    ("contract", "penalty"),
    [("no-hearts", "4H"), ("no-queens", "QS"), ("no-men", "JD"), ("no-men", "KC"), ("barbu", "KH")],
)
def test_in_king_who_is_void_must_throw_a_penalty_card_of_the_contract(contract, penalty):
    assert ask(contract, "8D" if penalty != "JD" else "8S", f"7C {penalty}", ruleset=KING) == (
        penalty,
        refused("7C", "play-must-discard"),
    )
    assert ask("misere", "8D" if penalty != "JD" else "8S", f"7C {penalty}", ruleset=KING)[1] == {}


def test_which_penalty_card_is_thrown_is_free():
    assert ask("no-queens", "8D", "7C QS QH", ruleset=KING) == ("QS QH", refused("7C", "play-must-discard"))
    assert says("no-queens", "8D", "7C QS", ruleset=KING) == [
        "You cannot follow 8♦ and must throw a card that counts: 7♣ does not, and you hold Q♠."
    ]


def test_in_king_a_heart_need_not_be_thrown_in_barbu_unless_it_is_the_king():
    assert ask("barbu", "8D", "7C 4H", ruleset=KING) == ("7C 4H", {})


def test_who_follows_suit_need_not_play_a_penalty_card():
    assert ask("no-queens", "8D", "7D QD QS", ruleset=KING) == ("7D QD", refused("QS", "play-revoke"))


def test_in_barbu_penalty_cards_may_be_kept():
    assert ask("no-queens", "8D", "7C QS") == ("7C QS", {})
    assert ask("barbu", "8D", "7C KH") == ("7C KH", {})


def test_a_table_may_have_the_king_of_hearts_thrown_at_the_first_chance_in_its_own_contract():
    ruleset = house(king_first_chance=True)
    assert ask("barbu", "8D", "7C KH 2H", ruleset=ruleset) == ("KH", refused("7C 2H", "play-must-discard"))
    assert ask("barbu", "AH", "KH 2H", ruleset=ruleset) == ("KH 2H", {})
    assert ask("barbu", "8D", "7D KH", ruleset=ruleset) == ("7D", refused("KH", "play-revoke"))
    assert ask("no-hearts", "8D", "7C KH 2H", ruleset=ruleset) == ("7C KH 2H", {})


# One card, with the hand half known


def judged(contract, trick, card, trump=None, ruleset=BARBU, **known):
    """Whether a card was allowed, and the codes of why not or of what it depends on."""
    verdict = rules(contract, trump, ruleset).verdict(trick.split(), card, **known)
    return verdict.allowed, [problem.code for problem in verdict.why]


def test_a_card_off_suit_was_wrong_if_the_suit_led_was_held():
    assert judged("misere", "QD", "5S", holds_led=True) == (False, ["play-revoke"])
    assert rules("misere").verdict(["QD"], "5S", holds_led=True).why[0].says == (
        "Q♦ was led: 5♠ does not follow suit, and the suit is held."
    )


def test_a_card_off_suit_was_right_if_the_suit_led_was_not_held():
    assert judged("misere", "QD", "5S", holds_led=False) == (True, [])


def test_a_card_off_suit_may_have_been_right_if_nobody_knows():
    assert judged("misere", "QD", "5S") == (None, ["play-revoke"])
    assert rules("misere").verdict(["QD"], "5S").why[0].says == (
        "5♠ is allowed only if no card in the suit of Q♦ is held."
    )


def test_a_card_that_follows_suit_was_right_whatever_is_held():
    for holds_led in (True, False, None):
        assert judged("misere", "QD", "5D", holds_led=holds_led) == (True, [])


def test_a_card_known_to_be_held_decides():
    assert judged("misere", "QD", "5S", held=["2D"]) == (False, ["play-revoke"])
    assert judged("trumps", "QC 9S", "6S", trump="S", held=["JS"]) == (False, ["play-must-overtrump"])


def test_being_void_leaves_the_duty_to_trump_open():
    assert judged("trumps", "QC", "4H", trump="S", holds_led=False) == (None, ["play-must-trump"])
    assert judged("trumps", "QC 9S", "6S", trump="S", holds_led=False) == (None, ["play-must-overtrump"])
    assert judged("trumps", "QC 9S", "4H", trump="S") == (None, ["play-revoke", "play-must-trump"])
    assert judged("trumps", "9S", "6S", trump="S") == (None, ["play-must-beat"])
    assert judged("trumps", "QC 9S", "JS", trump="S", holds_led=False) == (True, [])


def test_over_a_trump_only_a_higher_one_matters_unless_going_under_is_a_duty():
    free, king = rules("trumps", "S"), rules("trumps", "S", KING)
    asked = {"trick": ["QC", "9S"], "card": "4H", "holds_led": False}
    assert [problem.says for problem in free.verdict(**asked).why] == [
        "4♥ is allowed only if no trump above 9♠ is held."
    ]
    assert [problem.says for problem in king.verdict(**asked).why] == ["4♥ is allowed only if no trump is held."]


def test_a_heart_lead_depends_on_the_other_suits():
    assert judged("barbu", "", "4H") == (None, ["play-heart-lead"])
    assert judged("barbu", "", "4H", held=["5S"]) == (False, ["play-heart-lead"])
    assert judged("barbu", "", "4H", ruleset=KING, heart_discarded=True) == (True, [])


def test_being_void_leaves_the_penalty_cards_open():
    assert judged("no-queens", "8D", "7C", ruleset=KING, holds_led=False) == (None, ["play-must-discard"])


# Questions that cannot be


def wrong(problems):
    return [(problem.code, problem.where) for problem in problems]


def test_a_question_has_cards_of_the_deck_each_once():
    barbu = rules("barbu")
    assert wrong(barbu.problems(["QD", "1S"], ["QD", "2S", "2S"])) == [
        ("unknown-card", "trick, 1S"),
        ("play-card-twice", "hand, QD"),
        ("play-card-twice", "hand, 2S"),
    ]
    assert wrong(barbu.problems(["QD"], ["2S"])) == []


def test_nobody_plays_to_a_trick_that_is_full():
    barbu = rules("barbu")
    full = ["QD", "2D", "3D", "4D"]
    assert wrong(barbu.problems(full, [])) == []
    assert (
        wrong(barbu.problems(full, ["5D"]))
        == wrong(barbu.problems([*full, "5D"], []))
        == [("play-short-trick", "trick")]
    )


# Dominoes


def lay(start, layout, hand):
    ruling = Layout(start, layout.split()).ruling(hand.split())
    assert {problem.code for problem in ruling.refused.values()} <= {"play-does-not-fit"}
    return " ".join(ruling.legal), " ".join(ruling.refused)


def test_a_suit_begins_with_the_starting_rank():
    assert lay("7", "", "7S 7H 8S 6S") == ("7S 7H", "8S 6S")


def test_a_started_suit_goes_on_with_the_next_card_up_or_down():
    assert lay("7", "8S 7S", "9S 6S TS 5S 9H") == ("9S 6S", "TS 5S 9H")


def test_what_does_not_fit_says_what_must_come_before():
    ruling = Layout("7", ["7S"]).ruling(["TS", "5S", "8H"])
    assert [problem.says for problem in ruling.refused.values()] == [
        "10♠ does not fit: 9♠ is not there yet.",
        "5♠ does not fit: 6♠ is not there yet.",
        "8♥ does not fit: 7♥ is not there yet.",
    ]


def test_aces_are_high_twos_are_low_and_nothing_goes_round_the_corner():
    assert lay("K", "KS", "AS 2S") == ("AS", "2S")
    assert lay("3", "3S", "2S AS") == ("2S", "AS")


def test_ace_and_two_can_be_the_starting_rank():
    assert lay("A", "AS", "KS 2S AH") == ("KS AH", "2S")
    assert lay("2", "2S", "3S AS 2H") == ("3S 2H", "AS")


def test_who_can_play_must_and_who_cannot_passes():
    assert not Layout("7", ["7S"]).ruling(["8S", "2H"]).may_pass
    assert Layout("7", ["7S"]).ruling(["9S", "2H"]).may_pass
    assert Layout("7").ruling(["8S", "2H"]).may_pass


def test_a_layout_with_a_gap_cannot_be():
    layout = Layout("7", ["7S", "9S", "6H", "5H"])
    assert wrong(layout.problems([])) == [
        ("play-does-not-fit", "layout, 9S"),
        ("play-does-not-fit", "layout, 6H"),
    ]
    assert [problem.says for problem in layout.problems([])] == [
        "9♠ cannot lie there: 8♠ is missing.",
        "6♥ cannot lie there: 7♥ is missing.",
    ]


def test_a_question_about_dominoes_has_cards_of_the_deck_each_once():
    assert wrong(Layout("7", ["7S", "8S"]).problems(["8S", "10H"])) == [
        ("play-card-twice", "hand, 8S"),
        ("unknown-card", "hand, 10H"),
    ]
    assert wrong(Layout("7", ["1S"]).problems([])) == [("unknown-card", "layout, 1S")]


def test_a_tableau_goes_by_the_ranks_of_its_deck():
    ranks = load("coup-detat").deck.ranks_of(4)
    assert Layout("J", ("JS", "QS", "KS"), ranks).ruling(["TS", "AS"]).legal == ("TS",)


# A hand card by card


def played(*lines):
    """Tricks from texts such as "Ann QD 8D 2D AD": who led, and the cards in their order."""
    tricks = []
    for line in lines:
        leader, *cards = line.split()
        tricks.append(Trick(led_by=PLAYERS.index(leader), cards=tuple(cards)))
    return tricks


def followed(contract, *lines, trump=None, ruleset=BARBU, declarer=ANN):
    return follow(rules(contract, trump, ruleset), declarer, played(*lines), PLAYERS.__getitem__)


def found(contract, *lines, **told):
    return wrong(followed(contract, *lines, **told).problems)


def one_suit_each():
    """Ann holds all spades, Bob all hearts, Cy all diamonds, Dee all clubs; Ann leads from the ace down."""
    return [f"Ann {rank}S {rank}H {rank}D {rank}C" for rank in reversed(RANKS)]


def test_winners_follow_from_the_cards():
    hand = followed("misere", "Ann QD 8D 2D AD", "Dee 3C 4C AC 5C", declarer=ANN)
    assert hand.problems == ()
    assert hand.winners == (DEE, BOB)


def test_a_short_play_is_checked_and_decides_nothing():
    hand = followed("misere", "Ann QD 8D 2D AD", "Dee 3C 4C")
    assert (hand.problems, hand.end, hand.result) == ((), None, None)
    assert hand.winners == (DEE, None)
    assert hand.counts == {"tricks": {DEE: 1}}


def test_nothing_played_is_no_fault():
    hand = followed("barbu")
    assert (hand.problems, hand.winners, hand.end, hand.result) == ((), (), None, None)


def test_a_later_card_proves_that_somebody_did_not_follow():
    lines = ("Ann QD 8D 5S AD", "Dee 3C 4C AC 5C", "Bob 7D 2D 9D 6D")
    assert found("misere", *lines[:2]) == []
    assert found("misere", *lines) == [("play-revoke", "trick 1, 5S")]
    assert followed("misere", *lines).problems[0].says == (
        "Cy played 5♠ on Q♦ and did not follow suit; 2♦ in trick 3 proves it."
    )


def test_the_first_card_that_proves_a_fault_is_named():
    lines = ("Ann QD 8D 5S AD", "Dee 3C 4C AC 5C", "Bob 7D TD 9D 6D", "Cy 2D 3D JD 4D")
    assert "10♦ in trick 3" in followed("misere", *lines).problems[0].says


def test_a_later_trump_proves_that_somebody_had_to_trump():
    lines = ("Ann QC 4H 2C AC", "Dee 3D 4D 6D 5D", "Bob 8S 2S 3S 9S")
    assert found("trumps", *lines[:2], trump="S") == []
    assert found("trumps", *lines, trump="S") == [("play-must-trump", "trick 1, 4H")]
    assert followed("trumps", *lines, trump="S").problems[0].says == (
        "Bob did not follow Q♣ and had to trump, not to play 4♥; 8♠ in trick 3 proves it."
    )


def test_a_later_trump_proves_that_somebody_could_go_over():
    lines = ("Ann QC 9S 6S 2C", "Bob 3D 4D 5D 6D", "Ann 7D 8D JS 9D")
    assert found("trumps", *lines, trump="S") == [("play-must-overtrump", "trick 1, 6S")]
    assert followed("trumps", *lines, trump="S").problems[0].says == (
        "Cy played 6♠, which does not beat 9♠; J♠, shown in trick 3, does."
    )


def test_a_later_trump_proves_that_somebody_could_beat_a_trump_lead():
    lines = ("Ann 9S 6S 2S 3S", "Ann 3D JS 4D 5D")
    assert found("trumps", *lines, trump="S") == [("play-must-beat", "trick 1, 6S")]
    assert found("trumps", *lines, trump="S", ruleset=house(beat_trump_lead=False)) == []


def test_a_later_penalty_card_proves_that_it_had_to_be_thrown():
    lines = ("Ann 8D 7C 2D 3D", "Ann 9H QS 2H 3H")
    assert found("no-queens", *lines, ruleset=KING) == [("play-must-discard", "trick 1, 7C")]
    assert found("no-queens", *lines) == []


def test_a_later_card_proves_that_another_suit_could_be_led():
    lines = ("Ann 2H 3H 4H 5H", "Dee 6S 7S 8S 9S")
    assert found("barbu", lines[0]) == []
    assert found("barbu", *lines) == found("barbu", *lines, ruleset=KING) == [("play-heart-lead", "trick 1, 2H")]
    assert followed("barbu", *lines).problems[0].says == (
        "Ann led 2♥ while holding another suit; 7♠ in trick 2 proves it."
    )


def test_in_king_that_a_heart_was_discarded_follows_from_the_play():
    lines = ("Ann AS 2S 3H 4S", "Ann 5H 6H 7H 8H", "Dee 2D 3D 4D 5D")
    assert found("barbu", *lines, ruleset=KING) == []
    assert found("barbu", *lines) == [("play-heart-lead", "trick 2, 5H")]


def test_following_a_heart_lead_is_no_discard():
    lines = ("Ann 2H 3H 4H 5H", "Dee 6H 7H 8H 9H", "Cy 2S 3S 4S 5S")
    assert found("barbu", *lines, ruleset=KING) == [
        ("play-heart-lead", "trick 1, 2H"),
        ("play-heart-lead", "trick 2, 6H"),
    ]


def test_the_declarer_leads_first_and_then_whoever_won():
    assert found("misere", "Ann QD 8D 2D AD", declarer=BOB) == [("play-out-of-turn", "trick 1, QD")]
    hand = followed("misere", "Ann QD 8D 2D AD", "Bob 3C 4C AC 5C")
    assert wrong(hand.problems) == [("play-out-of-turn", "trick 2, 3C")]
    assert hand.problems[0].says == "Bob led trick 2, but Dee had won trick 1."
    assert found("misere", "Bob", declarer=ANN) == [("play-out-of-turn", "trick 1")]


def test_a_leader_who_is_written_wrongly_accuses_nobody_else():
    lines = ("Ann QD 8D 2D AD", "Dee 3C 4C AC 5C", "Bob 2S 3S 4S 5S", "Ann 6C 7C 8C 9C", "Dee JC 9D QC KC")
    assert found("misere", *lines) == []
    lines = (*lines[:1], "Cy 3C 4C AC 5C", *lines[2:])
    assert found("misere", *lines) == [("play-out-of-turn", "trick 2, 3C")]


def test_a_leader_who_is_no_player_is_left_to_others():
    tricks = [*played("Ann QD 8D 2D AD"), Trick(led_by=4, cards=("3C", "4C", "AC", "5C"))]
    hand = follow(rules("misere"), ANN, tricks, PLAYERS.__getitem__)
    assert (hand.problems, hand.winners) == ((), (DEE, None))


def test_a_card_is_played_once():
    lines = ("Ann QD 8D 2D AD", "Dee 3C 4C AC 5C", "Bob 2S 3S QD 5S")
    assert found("misere", *lines) == [("play-card-twice", "trick 3, QD")]
    assert followed("misere", *lines).problems[0].says == "Q♦ in trick 3 was played in trick 1 already."


def test_a_card_that_is_there_twice_proves_nothing():
    lines = ("Ann QD 8D 5S AD", "Dee 3C 4C AC 5C", "Bob 7D 8D 9D 6D")
    assert found("misere", *lines) == [("play-card-twice", "trick 3, 8D")]


def test_cards_are_of_the_deck():
    hand = followed("misere", "Ann QD 8D xx AD", "Dee 3C 4C AC 5C")
    assert wrong(hand.problems) == [("unknown-card", "trick 1, xx")]
    assert hand.winners == (None, BOB)


def test_where_a_card_is_in_doubt_a_heart_may_have_been_discarded():
    lines = ("Ann AS 2S xx 4S", "Ann 5H 6H 7H 8H", "Dee 2D 3D 4D 5D")
    assert found("barbu", *lines, ruleset=KING) == [("unknown-card", "trick 1, xx")]


def test_only_the_last_trick_may_be_short_and_none_too_long():
    assert found("misere", "Ann QD 8D 2D", "Dee 3C 4C AC 5C") == [("play-short-trick", "trick 1")]
    assert found("misere", "Ann QD 8D 2D AD", "Dee 3C") == []
    assert found("misere", "Ann QD 8D 2D AD 3D") == [("play-short-trick", "trick 1")]


def test_nothing_is_played_after_the_thirteenth_trick():
    assert found("misere", *one_suit_each()) == []
    lines = (*one_suit_each(), "Ann 2S", "Ann 3S")
    assert found("misere", *lines) == [("play-after-the-end", "trick 14, 2S")]


@pytest.mark.parametrize(
    ("contract", "counts"),
    [
        ("misere", {"tricks": {ANN: 13}}),
        ("trumps", {"tricks": {ANN: 13}}),
        ("no-last-two", {"trick-12": {ANN: 1}, "trick-13": {ANN: 1}}),
        ("no-hearts", {"hearts": {ANN: 13}, "ace-of-hearts": {ANN: 1}}),
    ],
)
def test_a_hand_played_to_its_end_tells_its_result(contract, counts):
    trump = "S" if contract == "trumps" else None
    hand = followed(contract, *one_suit_each(), trump=trump)
    assert (hand.problems, hand.end, hand.result) == ((), 13, Result(counts=counts))
    assert followed(contract, *one_suit_each()[:12], trump=trump).result is None


@pytest.mark.parametrize(
    ("contract", "ruleset", "end", "counts"),
    [
        ("barbu", BARBU, 2, {"king-of-hearts": {ANN: 1}}),
        ("no-queens", BARBU, 3, {"queens": {ANN: 4}}),
        ("no-men", house(KING, void_penalty="free"), 4, {"kings-and-jacks": {ANN: 8}}),
    ],
)
def test_a_hand_may_stop_once_all_its_cards_are_out_or_be_played_on(contract, ruleset, end, counts):
    for tricks in (end, end + 1, 13):
        hand = followed(contract, *one_suit_each()[:tricks], ruleset=ruleset)
        assert (hand.problems, hand.end, hand.result) == ((), end, Result(counts=counts))
    assert followed(contract, *one_suit_each()[: end - 1], ruleset=ruleset).result is None


def test_the_last_card_that_counts_ends_a_hand_only_with_its_trick():
    assert followed("barbu", "Ann AS 2S KH").end is None
    assert followed("barbu", "Ann AS 2S KH 3S").end == 1


def test_a_hand_with_a_fault_has_no_result():
    lines = ("Ann QD KH 2D AD", "Dee 3C 4C AC 5C", "Bob 7D 3D 9D 6D")
    assert found("barbu", *lines) == [("play-revoke", "trick 1, KH")]
    assert followed("barbu", *lines).result is None


def test_who_took_most_cards_of_a_suit_is_ravaged():
    ravage = load("ravage-city")
    hand = followed("ravage-city", *one_suit_each(), ruleset=ravage)
    assert hand.result == Result(ravaged=(ANN,))
    assert hand.longest == {ANN: 13, BOB: 0, CY: 0, DEE: 0}
    assert wrong(hand.disagreements(Result(ravaged=(ANN,)))) == []
    assert [problem.says for problem in hand.disagreements(Result(ravaged=(BOB,)))] == [
        "By the play Ann took most cards of one suit."
    ]


def test_a_contract_of_cards_and_tricks_does_not_stop_early():
    contract = load("coup-detat").contract("all-of-these")
    lines = ["Ann AS 2S AD AC"]
    lines += [f"Ann {RANKS[i]}S {RANKS[i + 1]}H {RANKS[i]}D {RANKS[i]}C" for i in range(11, 0, -1)]
    lines += ["Ann 2H 3H 2D 2C"]
    hand = follow(TrickRules(BARBU, contract), ANN, played(*lines), PLAYERS.__getitem__)
    assert (hand.problems, hand.end) == ((), 13)
    assert hand.counts == {
        "king-of-hearts": {ANN: 1},
        "queens": {ANN: 4},
        "spades": {ANN: 13},
        "first-trick": {ANN: 1},
        "last-trick": {BOB: 1},
    }


def test_what_is_neither_cards_nor_tricks_is_not_worked_out():
    laughs = Item(code="laughs", name="Laughs", one="laugh", many="laughs", each=-1, count=3)
    misere = BARBU.contract("misere")
    contract = msgspec.structs.replace(misere, items=(*misere.items, laughs))
    hand = follow(TrickRules(BARBU, contract), ANN, played(*one_suit_each()), PLAYERS.__getitem__)
    assert (hand.end, hand.counts, hand.result) == (13, {"tricks": {ANN: 13}}, None)


def test_three_players_with_another_deck_play_as_many_tricks_as_it_has():
    ruleset = msgspec.structs.replace(BARBU, deck=Deck(ranks="AKQJT9"))
    misere = TrickRules(ruleset, ruleset.contract("misere"), players=3)
    tricks = [Trick(led_by=0, cards=(f"{rank}S", f"{rank}H", f"{rank}D")) for rank in "AKQJT9"]
    tricks += [Trick(led_by=0, cards=cards) for cards in (("AC", "KC", "QC"), ("JC", "TC", "9C"))]
    hand = follow(misere, 0, tricks, PLAYERS.__getitem__)
    assert (hand.problems, hand.end, hand.counts) == ((), 8, {"tricks": {0: 8}})


def test_a_result_that_disagrees_with_the_play_is_refused_item_by_item():
    hand = followed("misere", *one_suit_each())
    assert wrong(hand.disagreements(Result(counts={"tricks": {ANN: 13, BOB: 0}}))) == []
    assert [problem.says for problem in hand.disagreements(Result(counts={"tricks": {ANN: 12, CY: 1}}))] == [
        "Tricks: Ann took 13 by the play; the result says 12.",
        "Tricks: Cy took 0 by the play; the result says 1.",
    ]
    assert wrong(hand.disagreements(Result(finish=(ANN,)))) == [("result-disagrees-with-play", "tricks")]
    assert wrong(followed("misere", "Ann QD").disagreements(Result(counts={}))) == []


# Tricks in columns


def columns(text, contract="misere", trump=None, ruleset=BARBU, declarer=ANN, players=PLAYERS, **told):
    return read_columns(text, rules(contract, trump, ruleset), declarer, players, **told)


TWO_TRICKS = tuple(played("Ann QD 8D 2D AD", "Dee 3C 4C AC 5C"))


def test_columns_by_seat_are_read_and_the_leaders_follow():
    read = columns("S W N E\ndq d8 d2 da\nc4 ca c5 c3")
    assert (read.play, read.problems) == (TWO_TRICKS, ())


def test_the_first_leader_is_the_declarer():
    assert columns("S W N E\ndq d8 d2 da", declarer=CY).play == tuple(played("Cy 2D AD QD 8D"))


def test_a_trump_wins_and_leads_the_next():
    read = columns("S W N E\ndq d8 s2 da\nc4 ca c5 c3", contract="trumps", trump="S")
    assert [trick.led_by for trick in read.play] == [ANN, CY]


@pytest.mark.parametrize(
    "text",
    [
        "\n  Ann Bob Cy Dee  \n\nQD 8D 2D AD\n\n4c Ac 5c 3c\n",
        "a | b | c | d\n1. dQ, d8, d2, dA\n2) ♣4 A♣ ♣︎5 3♧",
        "B C D A\nd8 d2 da *dq\nca c5 (c3) c4",
        "W N E S\n1 8♦️ 2♦️ A♦️ Q♦️\n2 ca c5 c3 c4",
    ],
)
def test_headings_and_cards_are_read_as_people_write_them(text):
    assert columns(text).play == TWO_TRICKS


def test_ten_is_written_10_or_t():
    assert [read_card(text) for text in ("10s", "s10", "TS", "♠t", "10♠︎")] == ["TS"] * 5
    assert [read_card(text) for text in ("", "1s", "s", "ss", "t", "10", "qds", "q d")] == [None] * 8


def test_who_sits_south_can_be_told():
    assert columns("S W N E\ndq d8 d2 da", declarer=BOB, south=BOB).play == tuple(played("Bob QD 8D 2D AD"))


def test_players_whose_names_begin_so_are_meant_before_the_compass():
    players = ("Sam", "Eve", "Will", "Ned")
    assert columns("S W N E\ndq d8 d2 da", players=players).play[0].cards == ("QD", "AD", "8D", "2D")


def test_where_the_play_goes_the_other_way_so_does_the_compass():
    read = columns("S W N E\ndq d8 d2 da", ruleset=KING)
    assert read.play[0].cards == ("QD", "AD", "2D", "8D")


def test_a_name_that_begins_another_is_found():
    players = ("Ann", "Anna", "Bob", "Cy")
    assert columns("Ann Anna B C\ndq d8 d2 da", players=players).play[0].cards == ("QD", "8D", "2D", "AD")


def test_cards_not_played_yet_are_left_out_of_the_last_line():
    assert columns("S W N E\ndq d8 d2 da\nc4 - — c3").play == tuple(played("Ann QD 8D 2D AD", "Dee 3C 4C"))
    assert columns("S W N E\ndq d8 d2 da\n- - - -").play == tuple(played("Ann QD 8D 2D AD"))


def unread(text, **told):
    read = columns(text, **told)
    assert read.play == ()
    return wrong(read.problems)


def test_what_is_no_card_is_told_by_line_and_column():
    assert unread("S W N E\n\ndq d8  dx da\nc4 c1 c5 c3") == [
        ("unknown-card", "line 3, column 8"),
        ("unknown-card", "line 4, column 4"),
    ]
    assert columns("S W N E\ndq d8 dx da").problems[0].says == (
        "There is no card “dx” in this game; cards are rank then suit, such as 9S."
    )


def test_a_line_has_a_card_for_each_column():
    assert unread("S W N E\ndq d8 d2\nc4 ca c5 c3 c2") == [
        ("play-short-trick", "line 2"),
        ("play-short-trick", "line 3"),
    ]


def test_no_card_is_missing_before_another():
    assert unread("S W N E\ndq - d2 da") == [("play-short-trick", "line 2")]
    assert unread("S W N E\ndq d8 d2 -\nc4 ca c5 c3") == [("play-short-trick", "line 2")]


def test_the_heading_names_every_player_once():
    assert unread("") == [("player-count", "line 1")]
    assert unread("S W N\ndq d8 d2 da") == [("player-count", "line 1")]
    assert unread("dq d8 d2 da") == [("unknown-player", f"line 1, column {column}") for column in (1, 4, 7, 10)]
    assert unread("Ann Bob X Ann\ndq d8 d2 da") == [
        ("unknown-player", "line 1, column 9"),
        ("duplicate-player", "line 1, column 11"),
    ]
    assert unread("S W N N\ndq d8 d2 da") == [("duplicate-player", "line 1, column 7")]


# Against the rules said a second time


@pytest.mark.parametrize(("ruleset", "contract"), CONTRACTS)
def test_a_hundred_random_deals_are_judged_as_the_slow_rules_do(ruleset, contract):
    assert prove_tricks(ruleset, contract, deals=100, seed=7)["turns"] == 5200


def test_a_hundred_deals_of_dominoes_are_judged_as_the_slow_rules_do():
    assert prove_dominoes(deals=100, seed=7)["legal"] > 5200


HOUSE = st.builds(
    Play,
    hearts_lead=st.sampled_from(["never", "after-discard", "free"]),
    under_trump=st.sampled_from(["free", "must"]),
    void_penalty=st.sampled_from(["free", "must"]),
    beat_trump_lead=st.booleans(),
    king_first_chance=st.booleans(),
)


@st.composite
def turns(draw):
    """Any house rules, a contract, a trick so far, a hand, and whether a heart was discarded."""
    ruleset = msgspec.structs.replace(load("king"), play=draw(HOUSE))
    contract = draw(st.sampled_from(ruleset.contracts))
    trump = draw(st.sampled_from(SUITS)) if contract.needs == "trump" else None
    cards = draw(st.lists(st.sampled_from(slow_rules.DECK), min_size=4, max_size=16, unique=True))
    size = draw(st.integers(0, 3))
    return TrickRules(ruleset, contract, trump), cards[:size], cards[size:], draw(st.booleans())


@given(turns())
def test_under_any_house_rules_the_same_cards_are_refused_for_the_same_reason(turn):
    asked, trick, hand, heart_discarded = turn
    ruling = asked.ruling(trick, hand, heart_discarded=heart_discarded)
    codes = {card: problem.code for card, problem in ruling.refused.items()}
    assert codes == slow_codes(asked, trick, hand, heart_discarded)
    assert ruling.legal == tuple(card for card in hand if card not in codes)
    assert all("{" not in problem.says for problem in ruling.refused.values())


@given(turns(), st.data())
def test_more_cards_in_a_hand_never_free_one_that_is_refused(turn, data):
    asked, trick, hand, heart_discarded = turn
    known = data.draw(st.lists(st.sampled_from(hand), unique=True))
    few, many = (slow_codes(asked, trick, cards, heart_discarded) for cards in (known, hand))
    assert few.keys() <= many.keys()


@given(turns(), st.data())
def test_a_verdict_says_yes_or_no_only_where_every_hand_does(turn, data):
    asked, trick, hand, heart_discarded = turn
    card = hand[0]
    held = data.draw(st.lists(st.sampled_from(hand[1:] or hand), max_size=3, unique=True).map(set)) - {card}
    holds_led = any(card[1] == trick[0][1] for card in hand) if trick else None
    told = data.draw(st.sampled_from([None, holds_led]))
    known = [card, *held]
    everything = [c for c in slow_rules.DECK if c not in trick]
    if told is False:
        everything = [c for c in everything if c[1] != trick[0][1]]
    fewest = [known]
    if told and all(c[1] != trick[0][1] for c in known):
        fewest = [[*known, c] for c in everything if c[1] == trick[0][1]]
    refuses = [card in slow_codes(asked, trick, cards, heart_discarded) for cards in (*fewest, everything)]
    verdict = asked.verdict(trick, card, held=tuple(held), holds_led=told, heart_discarded=heart_discarded)
    assert verdict.allowed is (None if len({*refuses}) > 1 else not refuses[0])
    assert (verdict.allowed is True) == (verdict.why == ())
    assert all("{" not in problem.says for problem in verdict.why)


@given(
    start=st.sampled_from(RANKS),
    ends=st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), min_size=4, max_size=4),
    random=st.randoms(use_true_random=False),
)
def test_any_layout_takes_the_cards_that_the_slow_rules_let_it_take(start, ends, random):
    middle = RANKS.index(start)
    layout = [
        rank + suit
        for suit, (low, high) in zip(SUITS, ends, strict=True)
        for rank in RANKS[low : high + 1]
        if low <= middle <= high
    ]
    hand = [card for card in slow_rules.DECK if card not in layout]
    random.shuffle(layout)
    table = Layout(start, layout)
    assert list(table.problems(hand)) == []
    expected = [card for card in hand if slow_rules.why_not_lay(card, start, layout) is None]
    assert list(table.ruling(hand).legal) == expected


@st.composite
def plays(draw):
    """A whole hand of any trick contract without a fault: the rules, the declarer, the tricks."""
    random = Random(draw(st.integers(0, 2**32)))
    asked = trick_rules(*draw(st.sampled_from(CONTRACTS)), random)
    declarer = random.randrange(4)

    def legal(trick, hand, heart_discarded):
        return asked.ruling(trick, hand, heart_discarded=heart_discarded).legal

    return asked, declarer, play_tricks(asked, deal(random), declarer, random, legal)


def mistaken(play, number, **change):
    """What is found after one change to a trick of a play without a fault."""
    asked, declarer, tricks = play
    tricks = list(tricks)
    tricks[number - 1] = msgspec.structs.replace(tricks[number - 1], **change)
    return wrong(follow(asked, declarer, tricks, PLAYERS.__getitem__).problems)


@given(plays(), st.integers(1, 13), st.integers(1, 3))
def test_a_wrong_leader_is_the_one_thing_found(play, number, seats):
    trick = play[2][number - 1]
    found = mistaken(play, number, led_by=(trick.led_by + seats) % 4)
    assert found == [("play-out-of-turn", f"trick {number}, {trick.cards[0]}")]


@given(plays(), st.permutations(range(1, 14)), st.integers(0, 3), st.integers(0, 3))
def test_a_card_played_twice_is_the_one_thing_found(play, numbers, position, source):
    number, other = numbers[:2]
    card = play[2][other - 1].cards[source]
    cards = list(play[2][number - 1].cards)
    cards[position] = card
    found = mistaken(play, number, cards=tuple(cards))
    assert found == [("play-card-twice", f"trick {max(number, other)}, {card}")]


@given(plays(), st.integers(1, 12), st.integers(0, 3))
def test_a_trick_that_lacks_a_card_is_the_one_thing_found(play, number, position):
    cards = play[2][number - 1].cards
    found = mistaken(play, number, cards=cards[:position] + cards[position + 1 :])
    assert found == [("play-short-trick", f"trick {number}")]


SPELLINGS = [
    lambda card: card,
    lambda card: card[::-1].lower(),
    lambda card: card[0].replace("T", "10") + SUIT_GLYPHS[card[1]] + "\ufe0f",
    lambda card: SUIT_GLYPHS[card[1]] + card[0].replace("T", "10").lower(),
]


@given(plays(), st.permutations(range(4)), st.randoms(use_true_random=False))
def test_columns_in_any_order_and_spelling_bring_the_play_back(play, order, random):
    asked, declarer, tricks = play
    lines = [" ".join(PLAYERS[seat] for seat in order)]
    for trick in tricks:
        cards = [trick.cards[(seat - trick.led_by) % 4] for seat in order]
        lines.append(" ".join(random.choice(SPELLINGS)(card) for card in cards))
    read = read_columns("\n".join(lines), asked, declarer, PLAYERS)
    assert (read.problems, read.play) == ((), tuple(tricks))
