"""Why a hand scored what it did, and what a contract costs, as data with sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import assert_never

from . import scoring
from .barbara import face_of
from .cards import RANK_NAMES, SUIT_GLYPHS
from .doubling import business
from .hands import Result, Seat
from .match import ScoredHand
from .problems import Sentence, figure, gettext_noop, sentence
from .rules import ROWS, Beats, Contract, Counts, Doubling, Finish, Item, Play, Points, Ravaged, RuleSet, RulingExample


def signed(points: Points) -> str:
    """Points as people write them: a real minus sign, and a plus on gains.

    >>> signed(-12), signed(0), signed(7.5)
    ('−12', '0', '+7.5')
    """
    return ("+" if points > 0 else "") + figure(scoring.whole(points))


@dataclass(frozen=True, slots=True)
class Part:
    """One line of a player's basic score: so many of something, and the points for it."""

    what: Sentence
    points: Points


@dataclass(frozen=True, slots=True)
class PlayerScore:
    """A seat's score with the parts of its basic score."""

    seat: Seat
    parts: tuple[Part, ...]
    basic: Points
    doubling: Points
    total: Points

    @property
    def from_bank(self) -> Points:
        """What the declarer of a round's last hand takes from the bank."""
        return self.total - self.basic - self.doubling


@dataclass(frozen=True, slots=True)
class PairScore:
    """What the business of one pair moved; ``one`` doubled first, ``moved`` is what ``one`` gained."""

    one: Seat
    other: Seat
    business: int
    difference: Points
    moved: Points
    says: Sentence


@dataclass(frozen=True, slots=True)
class Explanation:
    """A finished hand taken apart: each player's basic score, then each pair with business."""

    players: tuple[PlayerScore, ...]
    pairs: tuple[PairScore, ...]


def explain(scored: ScoredHand) -> Explanation:
    """Take a finished hand apart."""
    seats = scored.turn.seats
    return Explanation(
        players=tuple(
            PlayerScore(
                seat=seat,
                parts=_parts(scored, seat),
                basic=scored.basic[seat],
                doubling=scored.doubling[seat],
                total=scored.total[seat],
            )
            for seat in seats
        ),
        pairs=tuple(_pairs(scored)),
    )


def _parts(scored: ScoredHand, seat: Seat) -> tuple[Part, ...]:
    contract, hand, basic, result = scored.contract, scored.hand, scored.basic[seat], scored.result
    if hand.coup is not None:
        made, failed = gettext_noop("{player} made the coup"), gettext_noop("{player} failed in the coup")
        what = sentence(made if hand.coup.made else failed, player=scored.turn.name(hand.coup.by))
        return (Part(what, basic),)
    if contract is None or result is None:
        return (Part(sentence(gettext_noop("passed out")), basic),)
    if scored.turn.ruleset.payment == "declarer" and seat == scored.turn.declarer:
        return (Part(sentence(gettext_noop("paid by the others")), basic),)
    match contract:
        case Counts():
            return tuple(_count_parts(contract, result, seat, len(scored.turn.players)))
        case Finish():
            place = (result.finish or ()).index(seat) + 1
            return (Part(sentence(gettext_noop("out as number {place}"), place=place), basic),)
        case Ravaged():
            return (Part(sentence(gettext_noop("ravaged")), basic),) if basic else ()
        case Beats():
            units = scoring.beaten(result, len(scored.turn.players))
            what = sentence(gettext_noop("{number} units"), number=units[seat])
            parts = [Part(what, scoring.whole(units[seat] * contract.unit))]
            if contract.overall and scoring.overall_winner(units, result.best) == seat:
                parts.append(Part(sentence(gettext_noop("the overall unit")), contract.overall))
            return tuple(parts)
        case _:
            assert_never(contract)


def _count_parts(contract: Counts, result: Result, seat: Seat, players: int) -> Iterator[Part]:
    for item in contract.items:
        number = (result.counts or {}).get(item.code, {}).get(seat, 0)
        if number:
            message = gettext_noop("{item}") if item.is_single else gettext_noop("{number} {item}")
            what = sentence(message, item=item.one if number == 1 else item.many, number=number)
            yield Part(what, scoring.taken(item, number, players))


def _pairs(scored: ScoredHand) -> list[PairScore]:
    order, doubles = scored.turn.speaking_order, scored.hand.pairs
    found = []
    for i, one in enumerate(order):
        for other in order[i + 1 :]:
            times = business(doubles, one, other)
            if not times:
                continue
            first, second = (one, other) if (one, other) in doubles else (other, one)
            difference = abs(scored.basic[first] - scored.basic[second])
            moved = times * (scored.basic[first] - scored.basic[second])
            message = (
                gettext_noop(
                    "{one} doubled {other}: {one} {one_basic}, {other} {other_basic}, "
                    "difference {difference}: {one} {one_moved}, {other} {other_moved}"
                )
                if times == 1
                else gettext_noop(
                    "{one} doubled {other} and {other} doubled back: "
                    "{one} {one_basic}, {other} {other_basic}, difference {difference}, twice: "
                    "{one} {one_moved}, {other} {other_moved}"
                )
            )
            says = sentence(
                message,
                one=scored.turn.name(first),
                other=scored.turn.name(second),
                one_basic=signed(scored.basic[first]),
                other_basic=signed(scored.basic[second]),
                difference=scoring.whole(difference),
                one_moved=signed(moved),
                other_moved=signed(-moved),
            )
            difference, moved = scoring.whole(difference), scoring.whole(moved)
            found.append(PairScore(first, second, times, difference, moved, says))
    return found


def cost(contract: Contract, players: int = 4) -> tuple[Sentence, ...]:
    """What a contract costs or brings, a short sentence a thing, made from its numbers."""
    match contract:
        case Counts():
            return tuple(_item_costs(contract, players))
        case Finish():
            pays = " · ".join(map(signed, contract.pays(players)))
            return (sentence(gettext_noop("{points} in the order of going out"), points=pays),)
        case Ravaged():
            shares = [signed(contract.penalty // share) for share in range(2, players + 1)]
            message = gettext_noop("{points} for most cards of one suit; shared, {shares} each")
            return (sentence(message, points=signed(contract.penalty), shares=" · ".join(shares)),)
        case Beats():
            message = gettext_noop("{points} for each opponent beaten in each of the rows {rows}")
            costs = [sentence(message, points=signed(contract.unit), rows=", ".join(ROWS))]
            if contract.overall:
                message = gettext_noop("{points} for the most units")
                costs.append(sentence(message, points=signed(contract.overall)))
            return tuple(costs)
        case _:
            assert_never(contract)


def _item_costs(contract: Counts, players: int) -> list[Sentence]:
    costs = []
    for item in contract.items:
        if item.within is not None:
            message = gettext_noop("{points} more for the {item}")
        elif item.left_over:
            message = gettext_noop("{points} for each {item} left in hand")
        elif item.is_single:
            message = gettext_noop("{points} for the {item}")
        else:
            message = gettext_noop("{points} for each {item}")
        costs.append(sentence(message, points=signed(item.each), item=item.one))
        if item.all_to_one is not None:
            message = gettext_noop("{points} instead for all {count} {items}")
            points, count = signed(item.all_to_one), item.in_play(players)
            costs.append(sentence(message, points=points, count=count, items=item.many))
    return costs


def entry(contract: Contract, players: int = 4) -> tuple[Sentence, ...]:
    """What the table tells of a hand of this contract, a few words a thing, in the order of asking."""
    needs = {
        "trump": (sentence(gettext_noop("the trump suit")),),
        "start": (sentence(gettext_noop("the starting rank")),),
        None: (),
    }
    match contract:
        case Counts():
            told = tuple(_item_entry(item, players) for item in contract.items)
        case Finish():
            told = (sentence(gettext_noop("the order of going out")),)
        case Ravaged():
            told = (sentence(gettext_noop("who was ravaged, one player or several")),)
        case Beats():
            told = (sentence(gettext_noop("the order of the players in each row, ties allowed")),)
            if contract.overall:
                told += (sentence(gettext_noop("where the most units tie, who takes the overall unit")),)
        case _:
            assert_never(contract)
    return needs[contract.needs] + told


def _item_entry(item: Item, players: int) -> Sentence:
    if item.left_over:
        message = gettext_noop("the {items} left with each player, at most {count}")
    elif item.is_single and item.may_be_short:
        message = gettext_noop("who took the {item}, or nobody")
    elif item.is_single:
        message = gettext_noop("who took the {item}")
    elif item.may_be_short:
        message = gettext_noop("the {items} of each player, {count} in all or one fewer")
    else:
        message = gettext_noop("the {items} of each player, {count} in all")
    return sentence(message, item=item.one, items=item.many, count=item.in_play(players))


def price(contract: Contract, players: int = 4) -> tuple[Sentence, ...]:
    """What a contract costs in a few signs, for the face of a button: "−2 a heart", "A♥ −6"."""
    match contract:
        case Counts():
            return tuple(_item_price(contract, item) for item in contract.items)
        case Finish():
            return tuple(sentence("{points}", points=signed(points).lstrip("+")) for points in contract.pays(players))
        case Ravaged():
            return (sentence("{points}", points=signed(contract.penalty)),)
        case Beats():
            return (sentence(gettext_noop("{points} a {item}"), points=signed(contract.unit), item="unit"),)
        case _:
            assert_never(contract)


def _item_price(contract: Counts, item: Item) -> Sentence:
    if not item.is_single:
        return sentence(gettext_noop("{points} a {item}"), points=signed(item.each), item=item.one)
    within = sum(other.each for other in contract.items if other.code == item.within)
    points = signed(item.each + within)
    if len(item.card_set) == 1:
        (card,) = item.card_set
        return sentence("{card} {points}", card=card[0] + SUIT_GLYPHS[card[1]], points=points)
    return sentence("{points}", points=points)


def rules_text(ruleset: RuleSet) -> str:
    """A rule set explained to a reader, as plain text."""
    players = ruleset.players[-1]
    lines = [ruleset.name, "=" * len(ruleset.name), "", ruleset.about, ""]
    for contract in ruleset.contracts:
        lines.append(f"{', '.join((contract.name, *contract.also))} ({contract.code})")
        lines += [f"  {cost.says}." for cost in cost(contract, players)]
        lines += [f"  {text}" for text in (contract.says, contract.early) if text]
        if contract.is_negative and ruleset.doubling.passes_out:
            declarer, other = map(signed, scoring.passed_out(contract, 0, players)[:2])
            lines.append(f"  Nobody doubles: declarer {declarer}, each other player {other}.")
    lines += ["", *(sentence.says for sentence in customs(ruleset) + play_customs(ruleset))]
    for example in ruleset.examples:
        scores = ", ".join(f"{name} {signed(points)}" for name, points in example.total.items())
        lines += ["", example.says, f"  {scores or 'Refused.'}"]
    for ruling in ruleset.rulings:
        lines += _ruling_text(ruleset, ruling)
    if ruleset.chosen:
        lines += ["", "Where sources differ or are silent:", *(f"  {text}" for text in ruleset.chosen)]
    lines += ["", *(f"Source: {text}" for text in ruleset.sources)]
    return "\n".join(lines).strip() + "\n"


def _ruling_text(ruleset: RuleSet, ruling: RulingExample) -> Iterator[str]:
    """A worked ruling: its sentence, what lies on the table, and what may be played on it."""
    contract, asked = ruleset.contract(ruling.contract), ruling.question
    lying = asked.get("trick") or asked.get("layout") or [card for card in (asked.get("top"),) if card]
    on, legal, refused = (" ".join(map(face_of, cards)) for cards in (lying, ruling.legal, ruling.refused))
    yield ""
    yield f"{contract.name}: {ruling.says}" if contract else ruling.says
    may_not = f", {refused} may not" if refused else ""
    yield f"  {f'On {on}' if on else 'At first'}: {legal or 'nothing'} may be played{may_not}."


def customs(ruleset: RuleSet) -> list[Sentence]:
    """The turn to declare, the deal, doubling and its duties, the money, and who wins, a sentence each."""
    return [*_turns(ruleset), *_doubling(ruleset.doubling), *_money(ruleset), *_end(ruleset)]


def _turns(ruleset: RuleSet) -> Iterator[Sentence]:
    if ruleset.direction == "counter-clockwise":
        yield sentence(gettext_noop("The deal and the play go counter-clockwise."))
    if ruleset.starter:
        yield sentence(gettext_noop("{text}"), text=ruleset.starter)
    if ruleset.rotation == "each-deal":
        yield sentence(gettext_noop("The turn to declare moves on after every deal."))
    elif ruleset.rotation == "block":
        yield sentence(gettext_noop("One player declares all contracts in a row, then the next."))
    elif ruleset.rotation == "round":
        message = gettext_noop("Each round has every contract once; the next player begins each round.")
        yield sentence(message)
    if ruleset.has_declarer and ruleset.dealer == "declarer":
        yield sentence(gettext_noop("The declarer deals; the player before cuts."))
    elif ruleset.has_declarer:
        message = gettext_noop("The player before the declarer deals; the player before the dealer cuts.")
        yield sentence(message)
    if ruleset.quotas is not None:
        message = gettext_noop("Each player declares {negative} negative and {positive} positive contracts.")
        yield sentence(message, negative=ruleset.quotas.negative, positive=ruleset.quotas.positive)
    for times in sorted({c.times_in_match for c in ruleset.contracts if c.times_in_match is not None}):
        message = gettext_noop("At most {times} of each in a match: {contracts}.")
        limited = [contract for contract in ruleset.contracts if contract.times_in_match == times]
        yield sentence(message, times=times, contracts=_names(limited))


def _doubling(rule: Doubling) -> Iterator[Sentence]:
    if rule.who == "none":
        return
    if rule.who == "declarer":
        yield sentence(gettext_noop("Only the declarer may be doubled."))
    else:
        message = gettext_noop("In a negative contract everyone may double everyone, the declarer last.")
        yield sentence(message)
        only = gettext_noop("In a positive contract only the declarer may be doubled.")
        anyone = gettext_noop("In a positive contract everyone may be doubled too.")
        yield sentence(only if rule.positives == "declarer" else anyone)
    yield sentence(gettext_noop("The declarer only answers players who doubled him."))
    if not rule.passes_out:
        yield sentence(gettext_noop("A negative contract that nobody doubles is played all the same."))
    if rule.compulsory:
        once = gettext_noop("Each player doubles each other player as declarer at least once.")
        often = gettext_noop("Each player doubles each other player as declarer at least {times} times.")
        yield sentence(once if rule.compulsory == 1 else often, times=rule.compulsory)


def _money(ruleset: RuleSet) -> Iterator[Sentence]:
    if ruleset.purse:
        yield sentence(gettext_noop("Each player begins with {purse}."), purse=f"{ruleset.purse:,}")
    if ruleset.payment == "declarer":
        message = gettext_noop("Whoever takes pays the declarer; what the declarer takes costs nothing.")
        yield sentence(message)
    if any(item.may_be_short for item in ruleset.items):
        message = gettext_noop("One card lies face down and may stay out of play: a count may be one short.")
        yield sentence(message)
    for price in sorted({contract.coup for contract in ruleset.contracts if contract.coup is not None}):
        message = gettext_noop("Each opponent pays {price} for a coup in {contracts}.")
        dear = [contract for contract in ruleset.contracts if contract.coup == price]
        yield sentence(message, price=f"{price:,}", contracts=_names(dear))
    if ruleset.has_coups:
        message = gettext_noop(
            "After a coup nothing else is paid, and its maker declares to the end of the round. A coup that "
            "fails costs {price}, into the bank; the declarer of a round's last hand takes the bank."
        )
        yield sentence(message, price=f"{ruleset.coup_failed:,}")


def _end(ruleset: RuleSet) -> Iterator[Sentence]:
    if ruleset.ends_at is not None:
        message = gettext_noop("The match is over after a round in which somebody reaches {score}.")
        yield sentence(message, score=ruleset.ends_at)
    totals = {ruleset.adds_up_to(players) for players in ruleset.players}
    if not ruleset.purse and len(totals) == 1 and (total := totals.pop()) is not None:
        yield sentence(gettext_noop("The scores of a whole match add up to {total}."), total=signed(total))
    wins = {
        "highest": gettext_noop("The highest total wins; ties share."),
        "lowest": gettext_noop("The lowest total wins; ties share."),
        "above-zero": gettext_noop("Everyone above zero has won."),
    }
    yield sentence(wins[ruleset.wins])


def play_customs(ruleset: RuleSet) -> list[Sentence]:
    """How the cards may be played, where tables differ: the switches of a rule set, a sentence each."""
    tricks = _tricks(ruleset) if any(map(ruleset.has_play, ruleset.contracts)) else ()
    return [*tricks, *_moves(ruleset.play)]


def _tricks(ruleset: RuleSet) -> Iterator[Sentence]:
    play = ruleset.play
    leads = {
        "never": gettext_noop("{contracts}: no heart may be led while another suit is held."),
        "after-discard": gettext_noop(
            "{contracts}: hearts may be led once one has been discarded, or when nothing else is held."
        ),
        "free": gettext_noop("{contracts}: hearts may be led at any time."),
    }
    trumping = {
        "free": gettext_noop(
            "{contracts}: who is void must trump, and beat the trick's trumps if possible; "
            "who cannot beat them plays any card."
        ),
        "must": gettext_noop(
            "{contracts}: who is void must trump, higher than the trick's trumps if possible and else lower."
        ),
    }
    beat_lead = gettext_noop("{contracts}: when trumps are led, the highest must be beaten if possible.")
    penalty = gettext_noop("{contracts}: who is void must throw a card that counts, if one is held.")
    king = gettext_noop("{contracts}: the king of hearts must be thrown at the first chance.")
    trumps = [contract for contract in ruleset.contracts if contract.needs == "trump"]
    for message, holds, contracts in (
        (leads[play.hearts_lead], True, [c for c in ruleset.contracts if c.is_about_hearts]),
        (trumping[play.under_trump], True, trumps),
        (beat_lead, play.beat_trump_lead, trumps),
        (penalty, play.void_penalty == "must", [c for c in ruleset.contracts if c.card_set]),
        (king, play.king_first_chance, [c for c in ruleset.contracts if c.card_set == {"KH"}]),
    ):
        if holds and contracts:
            yield sentence(message, contracts=_names(contracts))


def _moves(play: Play) -> Iterator[Sentence]:
    for move in play.moves:
        card = RANK_NAMES.get(move.card, move.card.capitalize())
        yield sentence(gettext_noop("{card}: {name}. {text}"), card=card, name=move.name, text=move.says)
    if play.joker_to_blocked:
        yield sentence(gettext_noop("The blocked player takes the joker into his hand."))
    if play.joker_bars_suits:
        message = gettext_noop(
            "The first joker turns the suits that lie face up into suits that may not be played, "
            "until the second joker."
        )
        yield sentence(message)


def _names(contracts: Iterable[Contract]) -> str:
    return ", ".join(contract.name for contract in contracts)
