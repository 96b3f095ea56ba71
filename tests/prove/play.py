"""The long run of the rules of play: ``python -m tests.prove [deals] [seed]``, 10,000 deals as a rule.

A random player plays deals of every trick contract of Barbu, Ravage City and King, and of dominoes. The
referee must judge each card of each hand as the slow rules do, name the fault that was made, and work out
the result that the slow rules count.
"""

import sys
import time
from collections import Counter
from random import Random

from referee import Result, Trick, load
from referee.cards import RANKS, SUITS
from referee.play import Layout, TrickRules, follow
from tests.referee import slow_rules

CONTRACTS = [
    *(("barbu", code) for code in ("misere", "no-hearts", "no-queens", "barbu", "no-last-two", "trumps")),
    ("ravage-city", "ravage-city"),
    *(("king", code) for code in ("misere", "no-hearts", "no-queens", "no-men", "barbu", "no-last-two", "trumps")),
]
"""Rule set and contract of everything that is played in tricks."""

PLAYERS = ("Ann", "Bob", "Cy", "Dee")


def deal(random: Random) -> list[list[str]]:
    """Four hands of thirteen cards; the same for the same state of chance."""
    deck = [rank + suit for suit in SUITS for rank in RANKS]
    random.shuffle(deck)
    return [deck[seat::4] for seat in range(4)]


def trick_rules(ruleset, contract: str, random: Random) -> TrickRules:
    """The rules of one hand of a contract, its trump suit drawn where it has one."""
    ruleset = load(ruleset) if isinstance(ruleset, str) else ruleset
    contract = ruleset.contract(contract)
    return TrickRules(ruleset, contract, random.choice(SUITS) if contract.needs == "trump" else None)


def switches(rules: TrickRules) -> dict:
    """The switches of a rule set, as the slow rules read them."""
    return {name: getattr(rules.ruleset.play, name) for name in rules.ruleset.play.__struct_fields__}


def slow_codes(rules: TrickRules, trick, hand, heart_discarded: bool) -> dict[str, str]:
    """Every card of a hand that the slow rules refuse, with their code."""
    asked = (rules.contract.code, rules.trump, switches(rules), heart_discarded)
    codes = {card: slow_rules.why_not(card, hand, trick, *asked) for card in hand}
    return {card: code for card, code in codes.items() if code}


def play_tricks(rules: TrickRules, hands, declarer: int, random: Random, check, *, errs: float = 0):
    """A whole hand by random players, who take any card at all in a share ``errs`` of their turns.

    ``check`` is asked before each card, with the trick, the hand and whether a heart was discarded, for the
    legal cards.
    """
    hands, leader, tricks, heart_discarded = [list(hand) for hand in hands], declarer, [], False
    for _ in range(13):
        trick: list[str] = []
        for place in range(4):
            hand = hands[(leader + place) % 4]
            legal = check(trick, hand, heart_discarded)
            card = random.choice(hand if random.random() < errs else legal)
            hand.remove(card)
            trick.append(card)
        tricks.append(Trick(led_by=leader, cards=tuple(trick)))
        heart_discarded = heart_discarded or slow_rules.is_heart_discarded(trick)
        leader = (leader + slow_rules.winner(trick, rules.trump)) % 4
    return tricks


def compare_cards(rules: TrickRules, figures: Counter):
    """A check for :func:`play_tricks`: the referee and the slow rules judge each card of the hand alike."""

    def check(trick, hand, heart_discarded: bool):
        ruling = rules.ruling(trick, hand, heart_discarded=heart_discarded)
        codes = {card: problem.code for card, problem in ruling.refused.items()}
        assert codes == slow_codes(rules, trick, hand, heart_discarded), (rules, trick, hand, heart_discarded)
        assert ruling.legal == tuple(card for card in hand if card not in codes)
        assert ruling.legal, (rules, trick, hand)
        figures["turns"] += 1
        figures["legal"] += len(ruling.legal)
        figures["refused"] += len(codes)
        figures.update(codes.values())
        return ruling.legal

    return check


def compare_play(rules: TrickRules, hands, declarer: int, tricks, figures: Counter) -> None:
    """The referee finds the faults that the slow rules find, and works out what they count."""
    followed = follow(rules, declarer, tricks, PLAYERS.__getitem__)
    cards, leaders = [list(trick.cards) for trick in tricks], [trick.led_by for trick in tricks]
    code, ace_apart = rules.contract.code, "ace-of-hearts" in [item.code for item in rules.ruleset.items]
    winners = [
        (leader + slow_rules.winner(trick, rules.trump)) % 4 for trick, leader in zip(cards, leaders, strict=True)
    ]
    assert list(followed.winners) == winners
    ends = [number for number in range(1, 14) if number == 13 or slow_rules.may_stop(cards[:number], code)]
    assert followed.end == ends[0]
    faults = slow_rules.faults(hands, cards, leaders, code, rules.trump, switches(rules))
    found = [(problem.code, problem.where) for problem in followed.problems]
    assert found == [(fault, f"trick {number}, {card}") for fault, number, card in faults]
    figures.update({"hands with faults": bool(faults), "faults": len(faults)})
    for number in () if faults else (ends[0] - 1, *ends):
        result = follow(rules, declarer, tricks[:number], PLAYERS.__getitem__).result
        if number in ends:
            took = slow_rules.outcome(cards[:number], winners[:number], code, ace_apart)
            assert result == Result(**took)
            figures["results"] += 1
        else:
            assert result is None


def prove_tricks(ruleset, contract: str, deals: int, seed: int) -> Counter:
    """So many deals of a contract, every tenth with faults in it; the figures of what was compared."""
    random, figures = Random(f"{ruleset} {contract} {seed}"), Counter()
    for number in range(deals):
        rules, hands, declarer = trick_rules(ruleset, contract, random), deal(random), random.randrange(4)
        errs = random.choice((0.02, 0.1, 1)) if number % 10 == 9 else 0
        tricks = play_tricks(rules, hands, declarer, random, compare_cards(rules, figures), errs=errs)
        compare_play(rules, hands, declarer, tricks, figures)
    return figures


def play_dominoes(hands, start: str, declarer: int, random: Random, figures: Counter) -> tuple[int, ...]:
    """A whole hand of dominoes by a random player: the order of going out."""
    hands, layout, finish, turn = [list(hand) for hand in hands], [], [], declarer
    while len(finish) < 4:
        if hand := hands[turn]:
            table = Layout(start, random.sample(layout, len(layout)))
            ruling = table.ruling(hand)
            refused = [card for card in hand if slow_rules.why_not_lay(card, start, layout)]
            assert list(ruling.refused) == refused, (start, layout, hand)
            assert list(ruling.legal) == [card for card in hand if card not in refused]
            assert ruling.may_pass == (len(refused) == len(hand))
            assert list(table.problems(hand)) == []
            figures.update(turns=1, legal=len(ruling.legal), refused=len(refused), passes=ruling.may_pass)
            if ruling.legal:
                card = random.choice(ruling.legal)
                hand.remove(card)
                layout.append(card)
                if not hand:
                    finish.append(turn)
        turn = (turn + 1) % 4
    assert len(layout) == 52
    return tuple(finish)


def prove_dominoes(deals: int, seed: int) -> Counter:
    """So many deals of dominoes, with any starting rank."""
    random, figures = Random(f"dominoes {seed}"), Counter()
    for _ in range(deals):
        finish = play_dominoes(deal(random), random.choice(RANKS), random.randrange(4), random, figures)
        assert sorted(finish) == [0, 1, 2, 3]
    return figures


def main(deals: int = 10_000, seed: int = 1) -> None:
    """Prove it all, and print what was compared."""
    for ruleset, contract in [*CONTRACTS, ("barbu", "dominoes")]:
        began = time.perf_counter()
        dominoes = contract == "dominoes"
        figures = prove_dominoes(deals, seed) if dominoes else prove_tricks(ruleset, contract, deals, seed)
        told = ", ".join(f"{name} {number:,}" for name, number in figures.items())
        took = time.perf_counter() - began
        sys.stdout.write(f"{ruleset} {contract}: {deals:,} deals in {took:.0f} s, all alike: {told}\n")
        sys.stdout.flush()
