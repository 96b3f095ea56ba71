"""A table's own rules: each switch has its sentence, and what is accepted can be played to its end."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import sound_matches

from referee import BadRuleSet, RuleSet, load, names
from referee.explain import customs, play_customs, rules_text
from referee.rules import from_object, to_object


def changed(code: str, **changes: Any) -> RuleSet:
    """The rule set with other values at its top level."""
    return from_object(to_object(load(code)) | {"code": "our-own"} | changes)


def test_a_purse_where_each_takes_his_own_adds_to_the_contracts():
    assert changed("ravage-city-36", purse=100).adds_up_to(4) == 400 - 144


@pytest.mark.parametrize(("negative", "total"), [(3, None), (0, 8 * 650)], ids=["any of the negatives", "trumps alone"])
def test_the_total_is_not_known_where_players_choose_among_unequal_contracts(negative: int, total: int | None):
    contracts = [contract | {"times_in_match": None} for contract in to_object(load("king"))["contracts"]]
    rules = changed("king", contracts=contracts, quotas={"negative": negative, "positive": 2})

    assert rules.adds_up_to(4) == total


def said(code: str, **play: Any) -> list[str]:
    rules = changed(code, play=play)
    return [sentence.says for sentence in customs(rules) + play_customs(rules)]


def test_the_rules_of_king_tell_its_quotas_and_its_direction():
    rules = load("king")
    says = [sentence.says for sentence in customs(rules) + play_customs(rules)]

    assert "The deal and the play go counter-clockwise." in says
    assert "Each player declares 3 negative and 2 positive contracts." in says
    assert "At most 2 of each in a match: Misère, No Hearts, No Queens, No Men, Barbu, No Last Two." in says
    assert "Everyone above zero has won." in says
    assert "Misère, El almaz (misere)" in rules_text(rules)


@pytest.mark.parametrize(
    ("switch", "value", "sentence"),
    [
        ("hearts_lead", "never", "No Hearts, Barbu: no heart may be led while another suit is held."),
        (
            "hearts_lead",
            "after-discard",
            "No Hearts, Barbu: hearts may be led once one has been discarded, or when nothing else is held.",
        ),
        ("hearts_lead", "free", "No Hearts, Barbu: hearts may be led at any time."),
        (
            "under_trump",
            "free",
            (
                "Trumps: who is void must trump, and beat the trick's trumps if possible; "
                "who cannot beat them plays any card."
            ),
        ),
        (
            "under_trump",
            "must",
            "Trumps: who is void must trump, higher than the trick's trumps if possible and else lower.",
        ),
        (
            "void_penalty",
            "must",
            "No Hearts, No Queens, No Men, Barbu: who is void must throw a card that counts, if one is held.",
        ),
        ("beat_trump_lead", True, "Trumps: when trumps are led, the highest must be beaten if possible."),
        ("king_first_chance", True, "Barbu: the king of hearts must be thrown at the first chance."),
    ],
)
def test_each_switch_of_the_play_has_its_sentence(switch: str, value: Any, sentence: str):
    assert sentence in said("king", **{switch: value})


def test_a_switch_that_is_off_says_nothing():
    says = said("king", void_penalty="free", beat_trump_lead=False, king_first_chance=False)

    assert not any("throw" in sentence or "trumps are led" in sentence for sentence in says)


def random_rules(random: Random) -> dict[str, Any]:
    """A rule set of the rulebook with switches and values changed at random; not every one can be played."""
    rules = to_object(load(random.choice(names()))) | {"code": "our-own"}
    switches = {
        "wins": ("highest", "lowest", "above-zero"),
        "rotation": ("each-deal", "block", "round"),
        "dealer": ("declarer", "before"),
        "payment": ("own", "declarer"),
        "quotas": (None, {"negative": random.randint(0, 4), "positive": random.randint(0, 3)}),
    }
    for switch, values in switches.items():
        if random.random() < 0.1:
            rules[switch] = random.choice(values)
    if random.random() < 0.3:
        rules["doubling"] = {
            "who": random.choice(("everyone", "declarer", "none")),
            "positives": random.choice(("declarer", "anyone")),
            "compulsory": random.randint(0, 3),
            "undoubled": random.choice(("passed-out", "played")),
        }
    for contract in rules["contracts"]:
        if random.random() < 0.2:
            contract["times"] = random.randint(0, 3)
        if random.random() < 0.1:
            contract["times_in_match"] = random.randint(1, 4)
        for item in contract.get("items", ()):
            if random.random() < 0.2:
                item["each"] = random.randint(1, 50) * (1 if item["each"] > 0 else -1)
    return rules


@given(st.integers(0, 2**32), st.data())
def test_rules_that_are_accepted_can_be_played_to_the_end_and_add_up(seed: int, data: st.DataObject):
    try:
        rules = from_object(random_rules(Random(seed)))
    except BadRuleSet:
        return

    match = data.draw(sound_matches(rules, complete=True))

    assert match.problems == ()
    assert match.is_over
    total = rules.adds_up_to(len(match.players))
    assert total is None or sum(match.turn.running) == total
    assert rules_text(rules).startswith(rules.name)
