"""Rule sets: which contracts a game has, what they cost, and the switches a table may set.

A rule set is data: a TOML file of the rulebook, an object inside a match file, or a table's own
rules from a form, all of the same shape. It is refused with the place of the fault when it cannot
be played.
"""

import re
from collections.abc import Collection, Mapping
from functools import cache, cached_property
from importlib import resources
from typing import Annotated, Any, Literal, assert_never

import msgspec

from .cards import RANKS, SUITS, cards
from .problems import BadRuleSet, figure

Points = int | float
"""Points of a player: whole, save for half units of Chinese Poker under house rules."""

Code = Annotated[str, msgspec.Meta(pattern=r"\A[a-z0-9]+(-[a-z0-9]+)*\Z", max_length=40)]
Name = Annotated[str, msgspec.Meta(pattern=r"\S", max_length=40)]
Text = Annotated[str, msgspec.Meta(max_length=2000)]
Value = Annotated[int, msgspec.Meta(ge=-1_000_000, le=1_000_000)]
Pattern = Annotated[str, msgspec.Meta(pattern=rf"\A[{RANKS}*][{SUITS}*]\Z")]
PlayerCount = Annotated[int, msgspec.Meta(ge=3, le=6)]
Times = Annotated[int, msgspec.Meta(ge=0, le=20)]
Count = Annotated[int, msgspec.Meta(ge=1, le=60)]
ByPlayers = Mapping[Literal["3", "4", "5", "6"], Count]
TrickNumber = Annotated[int, msgspec.Meta(ge=-17, le=17)]
"""Which trick, from 1; from the last, −1, backwards."""
Ranks = Annotated[str, msgspec.Meta(pattern=rf"\A[{RANKS}]{{4,13}}\Z")]


class Deck(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The cards of a game: the ranks of each suit, high to low, and jokers or a wild card beside them."""

    ranks: Ranks = RANKS[::-1]
    ranks_for: Mapping[Literal["3", "4", "5", "6"], Ranks] = {}
    jokers: Annotated[int, msgspec.Meta(ge=0, le=4)] = 0

    def ranks_of(self, players: int) -> str:
        """The ranks in play with so many players, high to low."""
        return self.ranks_for.get(str(players), self.ranks)  # type: ignore[call-overload, no-any-return]

    def tricks(self, players: int) -> int:
        """How many tricks a hand has: 13 where four players share a full deck."""
        return len(self.ranks_of(players)) * len(SUITS) // players


class Item(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that players take and that costs or brings points: tricks, queens, the ace of hearts."""

    code: Code
    name: Name
    one: Name
    many: Name
    each: Value
    count: Count
    count_for: ByPlayers = {}
    cards: tuple[Pattern, ...] = ()
    tricks: Literal["all"] | TrickNumber | None = None
    within: Code | None = None
    all_to_one: Value | None = None
    left_over: bool = False
    may_be_short: bool = False
    face_up: bool = False

    def in_play(self, players: int) -> int:
        """How many there are with so many players (at most, for cards left over in the hand)."""
        return self.count_for.get(str(players), self.count)  # type: ignore[call-overload, no-any-return]

    @property
    def is_single(self) -> bool:
        """There is only one, so the table names a taker instead of counting."""
        return self.count == 1

    @property
    def card_set(self) -> frozenset[str]:
        """The cards that count, where the item is cards and not tricks."""
        return cards(self.cards)

    def trick_numbers(self, tricks_in_all: int) -> Collection[int]:
        """Which tricks count, by number; none where the item is cards or anything else."""
        if self.tricks == "all":
            return range(1, tricks_in_all + 1)
        if self.tricks is None:
            return ()
        return (self.tricks if self.tricks > 0 else tricks_in_all + 1 + self.tricks,)


class _Contract(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind"):
    code: Code
    name: Name
    also: tuple[Name, ...] = ()
    short: Annotated[str, msgspec.Meta(min_length=1, max_length=4)]
    sign: Literal["negative", "positive"]
    says: Text = ""
    early: Text = ""
    needs: Literal["trump", "start"] | None = None
    times: Times = 1
    times_in_match: Times | None = None
    coup: Value | None = None

    @property
    def face_up(self) -> bool:
        """Cards lie before their holders and move during play, so that it is told by suit who has which."""
        return False

    @property
    def card_set(self) -> frozenset[str]:
        """The cards that count here, where cards and not tricks or places count."""
        return frozenset()

    @property
    def is_about_hearts(self) -> bool:
        """Nothing but hearts counts, so that leading them may be restricted (No Hearts, Barbu)."""
        return bool(self.card_set) and all(card[1] == "H" for card in self.card_set)

    @property
    def is_negative(self) -> bool:
        """Taking is bad here; when nobody doubles such a contract it may be passed out."""
        return self.sign == "negative"


class Counts(_Contract, frozen=True, kw_only=True, tag="counts"):
    """A contract that counts what each player took."""

    items: Annotated[tuple[Item, ...], msgspec.Meta(min_length=1, max_length=12)]

    @property
    def face_up(self) -> bool:
        """Items lie face up before their holders and move during play (Get Barbara)."""
        return any(item.face_up for item in self.items)

    @property
    def card_set(self) -> frozenset[str]:
        """The cards of all its items."""
        return frozenset().union(*(item.card_set for item in self.items))

    def total(self, players: int) -> Points:
        """What all players together score when everything is counted."""
        return sum(item.each * item.in_play(players) for item in self.items)


class Finish(_Contract, frozen=True, kw_only=True, tag="finish"):
    """A contract that pays by the order of going out."""

    places: Annotated[tuple[Value, ...], msgspec.Meta(min_length=3, max_length=6)]
    places_for: Mapping[Literal["3", "4", "5", "6"], tuple[Value, ...]] = {}

    def pays(self, players: int) -> tuple[Points, ...]:
        """Points for going out first, second, … last."""
        return self.places_for.get(str(players), self.places)  # type: ignore[call-overload, no-any-return]

    def total(self, players: int) -> Points:
        """What all places together bring."""
        return sum(self.pays(players))


class Ravaged(_Contract, frozen=True, kw_only=True, tag="ravaged"):
    """A contract whose one penalty falls on whoever holds most cards of one suit; ties share it."""

    penalty: Value

    def total(self, players: int) -> Points:
        """The penalty."""
        return self.penalty


class Beats(_Contract, frozen=True, kw_only=True, tag="beats"):
    """A contract of three rows, paid by how many opponents a player beats in each."""

    unit: Value
    overall: Value = 0

    def total(self, players: int) -> Points:
        """Six units a row, and the overall unit where there is one."""
        return 18 * self.unit + self.overall


Contract = Counts | Finish | Ravaged | Beats
ROWS = ("front", "middle", "back")


class Doubling(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who may double whom, how often one must, and what happens when nobody doubles a negative."""

    who: Literal["everyone", "declarer", "none"] = "none"
    positives: Literal["declarer", "anyone"] = "declarer"
    compulsory: Annotated[int, msgspec.Meta(ge=0, le=9)] = 0
    undoubled: Literal["passed-out", "played"] = "passed-out"

    @property
    def passes_out(self) -> bool:
        """A negative contract that nobody doubles is scored without being played."""
        return self.who != "none" and self.undoubled == "passed-out"


class Move(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a card does when it is played, beyond being played."""

    card: Annotated[str, msgspec.Meta(pattern=rf"\A([{RANKS}]|joker)\Z")]
    name: Name
    says: Text


class Play(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the cards may be played, where tables differ."""

    hearts_lead: Literal["never", "after-discard", "free"] = "never"
    under_trump: Literal["free", "must"] = "free"
    void_penalty: Literal["free", "must"] = "free"
    beat_trump_lead: bool = True
    king_first_chance: bool = False
    moves: Annotated[tuple[Move, ...], msgspec.Meta(max_length=14)] = ()
    joker_to_blocked: bool = False
    joker_bars_suits: bool = False


class Quotas(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How many contracts of each sign a player declares."""

    negative: Times
    positive: Times


class Example(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A worked example: one hand as in a match file, after others or the first, and its score or its refusal.

    The players are those whom the score names, the first of them declares first; without a score they
    are Ann, Bob, Cy and Dee.
    """

    says: Text
    hand: dict[str, Any]
    before: tuple[dict[str, Any], ...] = ()
    total: dict[str, Points] = {}
    refused: Code | None = None

    @property
    def players(self) -> tuple[str, ...]:
        """Who plays, in the order of play: by the alphabet, since a database may keep a score in another order."""
        return tuple(sorted(self.total)) or ("Ann", "Bob", "Cy", "Dee")


class RulingExample(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A worked example of a ruling: a question as ``judge`` takes it, of this rule set, and its answer."""

    says: Text
    question: dict[str, Any]
    legal: tuple[str, ...] = ()
    refused: dict[str, Code] = {}

    @property
    def contract(self) -> str | None:
        """The code of the contract that it belongs to; None where a game has one kind of round."""
        return self.question.get("contract")


class RuleSet(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """The rules of one game at one table."""

    code: Code
    name: Name
    about: Text = ""
    sources: tuple[Text, ...] = ()
    chosen: tuple[Text, ...] = ()
    players: Annotated[tuple[PlayerCount, ...], msgspec.Meta(min_length=1, max_length=4)] = (4,)
    wins: Literal["highest", "lowest", "above-zero"] = "highest"
    direction: Literal["clockwise", "counter-clockwise"] = "clockwise"
    rotation: Literal["each-deal", "block", "round", "none"] = "each-deal"
    dealer: Literal["declarer", "before"] = "declarer"
    starter: Text = ""
    starts_with: Literal["S", "H", "D", "C"] | None = None
    purse: Annotated[int, msgspec.Meta(ge=0, le=1_000_000_000)] = 0
    payment: Literal["own", "declarer"] = "own"
    coup_failed: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] = 0
    ends_at: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] | None = None
    quotas: Quotas | None = None
    deck: Deck = Deck()
    doubling: Doubling = Doubling()
    play: Play = Play()
    contracts: Annotated[tuple[Contract, ...], msgspec.Meta(min_length=1, max_length=24)]
    examples: tuple[Example, ...] = ()
    rulings: tuple[RulingExample, ...] = ()

    def __hash__(self) -> int:
        """Enough to tell most rule sets apart; a mapping inside could not be hashed."""
        return hash((self.code, self.name, self.play))

    def contract(self, code: str | None) -> Contract | None:
        """The contract with this code; the only one there is where a game has a single kind of round."""
        return self._by_code.get(code) if self.has_declarer else self.contracts[0]

    @cached_property
    def _by_code(self) -> Mapping[str | None, Contract]:
        return {contract.code: contract for contract in self.contracts}

    @property
    def has_declarer(self) -> bool:
        """Somebody names a contract before the hand; in Get Barbara nobody does."""
        return self.rotation != "none"

    def has_play(self, contract: Contract) -> bool:
        """The referee can follow the tricks of this contract: a declarer leads, and no card is wild."""
        return isinstance(contract, Counts | Ravaged) and self.has_declarer and not self.deck.jokers

    @property
    def items(self) -> tuple[Item, ...]:
        """All that is counted anywhere in this game."""
        counted = [contract.items for contract in self.contracts if isinstance(contract, Counts)]
        return tuple(item for items in counted for item in items)

    @property
    def has_coups(self) -> bool:
        """A player may undertake to take everything (Coup d'État, Dragonmaster)."""
        return any(contract.coup is not None for contract in self.contracts)

    @cached_property
    def hands_each(self) -> int:
        """How many hands one player declares, or how many make a round."""
        if self.quotas:
            return self.quotas.negative + self.quotas.positive
        return sum(contract.times for contract in self.contracts)

    def hands_in_all(self, players: int) -> int | None:
        """How many hands a match has; None where it ends at a score instead."""
        return self.hands_each * players if self.has_declarer else None

    def adds_up_to(self, players: int = 4) -> Points | None:
        """What the scores of a whole match add up to; None where that is not fixed beforehand."""
        start = self.purse * players
        if not self.has_declarer:
            return None
        if self.payment == "declarer":
            return start
        if not self.quotas:
            return start + players * sum(c.total(players) * c.times for c in self.contracts)
        sums: list[Points] = [start]
        for sign, each in (("negative", self.quotas.negative), ("positive", self.quotas.positive)):
            group = [contract for contract in self.contracts if contract.sign == sign and contract.times]
            totals = {contract.total(players) for contract in group}
            limits = [contract.times_in_match for contract in group]
            if len(totals) == 1:
                sums.append(totals.pop() * each * players)
            elif None not in limits and sum(limit or 0 for limit in limits) == each * players:
                sums.append(sum(c.total(players) * (c.times_in_match or 0) for c in group))
            elif each:
                return None
        return sum(sums)


def load(code: str) -> RuleSet:
    """The built-in rule set with this code, from the rulebook.

    Raises ``KeyError`` when the rulebook has none of that name.
    """
    if code not in names():
        raise KeyError(code)
    return _load(code)


@cache
def _load(code: str) -> RuleSet:
    return from_object(msgspec.toml.decode(_rulebook(f"{code}.toml")))


@cache
def names() -> tuple[str, ...]:
    """The codes of all built-in rule sets, the main game first."""
    return tuple(_rulebook("ORDER").split())


def _rulebook(file: str) -> str:
    return resources.files(__package__).joinpath("rulebook", file).read_text("utf-8")


def from_object(data: object) -> RuleSet:
    """A rule set written out as an object, as match files carry them.

    Raises :class:`BadRuleSet` with the place of the fault.
    """
    try:
        return checked(msgspec.convert(data, RuleSet))
    except msgspec.ValidationError as error:
        says, _, place = str(error).partition(" - at ")
        raise BadRuleSet(_place_in_words(place) + _fault_in_words(says, place)) from None


KINDS = {
    "int": "a whole number",
    "float": "a decimal number",
    "str": "a text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "nothing",
}

FORMS = {
    "code": "a code such as no-queens",
    "within": "a code such as no-queens",
    "refused": "a code such as no-queens",
    "cards": "a card such as KH, Q* or *S",
    "card": "a rank, or joker",
    "ranks": "ranks such as AKQJT987",
}


def _place_in_words(place: str) -> str:
    """``$.contracts[0].items[1].each`` as "contract 1, item 2, each: "."""
    place = place.replace("[...]", "").replace("`key` in ", "").strip("`").removeprefix("$").removeprefix(".")
    place = re.sub(r"s?\[(\d+)\]", lambda number: f" {int(number[1]) + 1}", place)
    return place.replace(".", ", ") + ": " if place else ""


def _fault_in_words(says: str, place: str) -> str:
    """What the schema finds wrong, as a person says it."""
    field = re.findall(r"[a-z_]+", place)[-1:]
    form = FORMS.get("".join(field), "a text that is not blank")
    for pattern, words in (
        (r"Object missing required field `(.*)`", r"\1 is missing"),
        (r"Object contains unknown field `(.*)`", r"there is no field “\1” here"),
        (r"Invalid (?:enum )?value '?(.*?)'?", r"“\1” is none of the choices"),
        (r"Expected `str` matching regex .*", f"expected {form}"),
        (r"Expected (`.*`) >= (.*)", r"expected \1, at least \2"),
        (r"Expected (`.*`) <= (.*)", r"expected \1, at most \2"),
        (r"Expected (`.*`) of length >= (.*)", r"expected \1 of length at least \2"),
        (r"Expected (`.*`) of length <= (.*)", r"expected \1 of length at most \2"),
        (r"Expected (`.*`), got (`.*`)", r"expected \1, found \2"),
    ):
        if found := re.fullmatch(pattern, says):
            says = found.expand(words)
    return re.sub(r"`(.*?)`", lambda kinds: " or ".join(KINDS[kind] for kind in kinds[1].split(" | ")), says)


def to_object(ruleset: RuleSet) -> dict[str, Any]:
    """The rule set as plain data, the reverse of :func:`from_object`."""
    data: dict[str, Any] = msgspec.to_builtins(ruleset)
    return data


def checked(ruleset: RuleSet) -> RuleSet:
    """The same rule set, if it can be played.

    Raises :class:`BadRuleSet`, with the place and the number that is wrong.
    """
    _refuse(len(set(ruleset.players)) != len(ruleset.players), "$.players", "a number of players is named twice")
    for ranks in (ruleset.deck.ranks, *ruleset.deck.ranks_for.values()):
        _refuse(len(set(ranks)) != len(ranks), "$.deck.ranks", f"a rank is there twice in {ranks}")
    moves = [move.card for move in ruleset.play.moves]
    _refuse(len(set(moves)) != len(moves), "$.play.moves", "a card has two moves")
    codes = [contract.code for contract in ruleset.contracts]
    for i, contract in enumerate(ruleset.contracts):
        place = f"$.contracts[{i}]"
        _refuse(contract.code in codes[:i], f"{place}.code", f"contract {contract.code} is there twice")
        for players in ruleset.players:
            _check_contract(ruleset, contract, players, place)
    _check_turns(ruleset)
    compulsory, hands = (
        ruleset.doubling.compulsory,
        ruleset.hands_each if ruleset.doubling.who != "none" else 0,
    )
    why = f"{compulsory} doubles are compulsory, but a player can be doubled in {hands} hands"
    _refuse(compulsory > hands, "$.doubling.compulsory", why)
    if ruleset.payment == "declarer":
        _refuse(not ruleset.has_declarer, "$.payment", "there is no declarer to pay")
        why = "a hand that pays the declarer cannot be passed out"
        _refuse(ruleset.doubling.passes_out, "$.doubling.undoubled", why)
    return ruleset


def _refuse(wrong: bool, place: str, why: str) -> None:
    if wrong:
        raise BadRuleSet(_place_in_words(place) + why)


def _check_turns(ruleset: RuleSet) -> None:
    if not ruleset.has_declarer:
        _refuse(len(ruleset.contracts) != 1, "$.contracts", "a game without declarers has one kind of round")
        _refuse(ruleset.ends_at is None, "$.ends_at", "a game without declarers ends at a score")
        _refuse(ruleset.doubling.who != "none", "$.doubling.who", "there is no declarer to double")
        _refuse(ruleset.quotas is not None, "$.quotas", "there is no declarer with a quota")
        rises = any(item.each > 0 for item in ruleset.items)
        _refuse(not rises, "$.contracts[0]", f"nobody can ever reach {ruleset.ends_at} points")
        return
    _refuse(ruleset.ends_at is not None, "$.ends_at", "a game with declarers ends after its last hand")
    _refuse(ruleset.hands_each == 0, "$.contracts", "there is no hand to declare")
    _refuse(ruleset.has_coups and ruleset.rotation != "round", "$.rotation", "coups need rounds")
    _refuse(ruleset.has_coups and ruleset.payment != "declarer", "$.payment", "coups need a paid declarer")
    _refuse(ruleset.has_coups and ruleset.doubling.who != "none", "$.doubling.who", "a coup cannot be doubled")
    _refuse(
        ruleset.quotas is not None and ruleset.rotation == "round",
        "$.quotas",
        "a round has every contract, so nobody has a quota",
    )
    for players in ruleset.players:
        for sign in ("negative", "positive"):
            need = getattr(ruleset.quotas, sign) if ruleset.quotas else 0
            group = [contract for contract in ruleset.contracts if contract.sign == sign]
            if ruleset.quotas:
                limits = [c.times * players if c.times_in_match is None else c.times_in_match for c in group]
                room = sum(min(c.times * players, limit) for c, limit in zip(group, limits, strict=True))
                each = sum(c.times for c in group)
                _refuse(
                    each < need or room < need * players,
                    f"$.quotas.{sign}",
                    f"{players} players declare {need} {sign} contracts each, but there are only {room}",
                )
    if not ruleset.quotas:
        for i, contract in enumerate(ruleset.contracts):
            _refuse(
                contract.times_in_match is not None,
                f"$.contracts[{i}].times_in_match",
                "a limit for the whole match needs quotas",
            )


def _check_tricks(item: Item, players: int, tricks: int, at: str) -> None:
    if item.tricks is None:
        return
    _refuse(bool(item.cards), f"{at}.tricks", f"{item.many} are cards or tricks, not both")
    numbers = [number for number in item.trick_numbers(tricks) if 1 <= number <= tricks]
    _refuse(not numbers, f"{at}.tricks", f"there is no trick {item.tricks} among {tricks}")
    why = f"{item.in_play(players)} {item.many} are to count, but there are {len(numbers)}"
    _refuse(item.in_play(players) != len(numbers), f"{at}.count", why)


def _check_contract(ruleset: RuleSet, contract: Contract, players: int, place: str) -> None:
    match contract:
        case Counts():
            seen: list[str] = []
            for i, item in enumerate(contract.items):
                at = f"{place}.items[{i}]"
                _refuse(item.code in seen, f"{at}.code", f"item {item.code} is there twice")
                _refuse(
                    item.within is not None and item.within not in seen,
                    f"{at}.within",
                    f"{item.within} is not an item before it",
                )
                seen.append(item.code)
                deck = frozenset(rank + suit for rank in ruleset.deck.ranks_of(players) for suit in SUITS)
                there = len(item.card_set & deck)
                _refuse(
                    bool(item.cards) and there != item.in_play(players),
                    f"{at}.count",
                    f"{item.in_play(players)} {item.many} are to count, but there are {there}",
                )
                _check_tricks(item, players, ruleset.deck.tricks(players), at)
        case Finish():
            places = len(contract.pays(players))
            _refuse(
                places != players,
                f"{place}.places",
                f"{players} players go out, but {places} places are paid",
            )
        case Ravaged():
            shares = range(1, players + 1)
            _refuse(
                any(contract.penalty % share for share in shares),
                f"{place}.penalty",
                f"{figure(contract.penalty)} cannot be shared evenly by up to {players} players",
            )
        case Beats():
            _refuse(players != 4, f"{place}.kind", "three rows of poker are for four players")
        case _:
            assert_never(contract)
    kind = {"trump": Counts, "start": Finish, None: object}[contract.needs]
    _refuse(not isinstance(contract, kind), f"{place}.needs", f"a contract of this kind has no {contract.needs}")
    _refuse(
        contract.is_negative and contract.total(players) > 0 and ruleset.doubling.who != "none",
        f"{place}.sign",
        f"a negative contract cannot bring {contract.total(players)} points in all",
    )
