"""The referee at the table: a trick, a hand, dominoes, doubling and special moves, asked and answered by taps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_safe
from msgspec import structs

import referee
from referee import Contract, Hand, Match, Problem, RuleSet, Sentence, Turn
from referee.barbara import JOKER, cancel, face_of, moves
from referee.cards import SUIT_GLYPHS, SUIT_NAMES, SUITS
from referee.explain import play_customs
from referee.play import DEPENDS, Ruling, Verdict, face
from referee.problems import gettext_noop, sentence

from ..access import match_or_404, table_or_404
from ..entry import price_words
from ..forms.rulings import DOMINOES, DOUBLES, HAND, MOVES, TOP, TRICK, Question, asks, read
from ..templatetags.cards import NO_EMOJI, isolated, rank, says
from .posted import asks_in_place

NAMES = ("Ann", "Bob", "Cy", "Dee", "Eli", "Flo")
"""Who plays where no match says so, as in the worked examples of the rule book."""


@require_safe
@cache_control(public=True, max_age=10 * 60)
def rulings(request: HttpRequest) -> HttpResponse:
    """Which game is it about?"""
    games = [game for game in map(referee.load, referee.names()) if any(asks(game, one) for one in game.contracts)]
    return render(request, "rulings/games.html", {"games": games})


@require_safe
@cache_control(public=True, max_age=10 * 60)
def ruling(request: HttpRequest, code: str) -> HttpResponseBase:
    """A question about a game of the rule book, as nobody's match."""
    if code not in referee.names():
        raise Http404(_("There is no game of this name in the rulebook."))
    game = referee.load(code)
    context = {"rules_at": reverse("ruleset", args=[code]), "back": reverse("rulings"), "back_words": _("Rulings")}
    return _page(request, _nobody_s(game, request.GET), context)


@require_safe
@never_cache
def own_ruling(request: HttpRequest, code: str, rules: str) -> HttpResponseBase:
    """A question about rules that a table made for itself."""
    table = table_or_404(code)
    found = table.rules.filter(code=rules).order_by("-version").first()
    if found is None:
        raise Http404(_("This table has no rules of this name."))
    at = reverse("show_rules", args=[code, rules])
    context = {"rules_at": at, "back": at, "back_words": found.game.name}
    return _page(request, _nobody_s(found.game, request.GET), context)


@require_safe
@never_cache
def match_ruling(request: HttpRequest, code: str, number: int) -> HttpResponseBase:
    """A question about the hand that is being played: its contract, trump, players and doubles are known."""
    found = match_or_404(code, number)
    state = found.state()
    context = {
        "match": found,
        "table": found.table,
        "rules_at": reverse("match_rules", args=[code, number]),
        "back": reverse("match", args=[code, number]),
        "back_words": _("Match"),
    }
    return _page(request, state.match.turn, context, playing=state.match.unfinished_hand or Hand())


def _nobody_s(game: RuleSet, data: QueryDict) -> Turn:
    """The first turn of a match that nobody plays, with as many players as the address says."""
    given = data.get("players", "")
    most = 4 if 4 in game.players else max(game.players)
    players = next((number for number in game.players if str(number) == given), most)
    return Match(game, NAMES[:players]).turn


def _page(
    request: HttpRequest, turn: Turn, context: dict[str, Any], *, playing: Hand | None = None
) -> HttpResponseBase:
    """The page; the same as a part of it for a script; taps of a phone without a script are led to their address."""
    game, asked = turn.ruleset, request.GET.get("contract")
    contract = game.contract(playing.contract if asked is None and playing is not None else asked)
    context |= {"game": game, "turn": turn}
    if contract is None or not asks(game, contract):
        return _choose(request, turn, context, contract, asked if contract is None else None)
    if contract.needs and not _knows(turn, request.GET, contract, playing):
        return _choose(request, turn, context, contract, request.GET.get(contract.needs))
    question = read(request.GET, turn, contract, playing=playing)
    if "do" in request.GET and not asks_in_place(request) and not question.problems:
        return redirect(f"{request.path}?{question.address}")
    context |= {
        "question": question,
        "contract": contract,
        "tabs": _tabs(question),
        "problems": question.problems,
        "is_named": playing is not None,
        "answer": answer(question, named=playing is not None),
        "rows": picker(question),
        "fields": question.fields(),
    }
    template = "rulings/body.html" if asks_in_place(request) else "rulings/ruling.html"
    response = render(request, template, context, status=422 if question.problems else 200)
    patch_vary_headers(response, ["X-In-Place"])
    return response


def _knows(turn: Turn, data: QueryDict, contract: Contract, playing: Hand | None) -> bool:
    """The trump suit or the starting rank is named, or nothing but doubling is asked."""
    needs = contract.needs or ""
    there = tuple(SUITS) if needs == "trump" else tuple(turn.ruleset.deck.ranks_of(len(turn.players)))
    if data.get(needs):
        return data[needs] in there
    is_played = playing is not None and playing.contract == contract.code and bool(getattr(playing, needs))
    return is_played or (data.get("ask") == DOUBLES and DOUBLES in asks(turn.ruleset, contract))


def _choose(
    request: HttpRequest, turn: Turn, context: dict[str, Any], contract: Contract | None, odd: str | None
) -> HttpResponse:
    """Which contract, trump suit or starting rank it is about."""
    game, ranks = turn.ruleset, turn.ruleset.deck.ranks_of(len(turn.players))
    context |= {
        "contracts": [(one, price_words(one, len(turn.players))) for one in game.contracts if asks(game, one)],
        "contract": contract,
        "suits": SUIT_NAMES,
        "ranks": [(code, rank(code)) for code in reversed(ranks)],
        "unknown": (odd or "")[:40],
        "can_ask_doubles": contract is not None and DOUBLES in asks(game, contract),
        "counts": [(number, number == len(turn.players)) for number in sorted(game.players)]
        if len(game.players) > 1 and "match" not in context
        else [],
    }
    return render(request, "rulings/choose.html", context, status=422 if odd else 200)


@dataclass(frozen=True)
class Tab:
    """One kind of question, as a link that keeps what was tapped."""

    code: str
    words: str
    address: str
    is_here: bool


def _tabs(question: Question) -> list[Tab]:
    words = {
        TRICK: _("A trick"),
        HAND: _("A hand"),
        DOMINOES: _("The layout"),
        DOUBLES: _("Doubles"),
        MOVES: _("A card"),
    }
    tabs = []
    for code in asks(question.ruleset, question.contract):
        asked = replace(question, ask=code, into="", holds={}, at=None)
        if code == HAND and question.ask == TRICK:
            asked = replace(asked, trick=question.trick[: question.players - 1])
        tabs.append(Tab(code, words[code], asked.address, code == question.ask))
    return tabs


# --- cards on the page ---


@dataclass(frozen=True)
class Card:
    """A card on the page: its name for who hears it, its state, and what a tap on it does."""

    code: str
    name: str
    state: str = ""
    note: str = ""
    deed: str = ""
    disabled: bool = False

    @property
    def rank(self) -> str:
        """What stands on it beside the suit."""
        return self.code[0].replace("T", "10")

    @property
    def suit(self) -> str:
        """Its suit's letter."""
        return self.code[1]

    @property
    def glyph(self) -> str:
        """Its suit as a sign, never as a picture."""
        return SUIT_GLYPHS[self.suit] + NO_EMOJI


def card_name(card: str) -> str:
    """A card for who hears the page: "Queen of clubs"."""
    if card == JOKER:
        return _("Joker")
    names = {
        "S": _("{rank} of spades"),
        "H": _("{rank} of hearts"),
        "D": _("{rank} of diamonds"),
        "C": _("{rank} of clubs"),
    }
    return names[card[1]].format(rank=rank(card[0]))


def picker(question: Question) -> list[tuple[str, list[Card]]]:
    """All cards of the deck, a row a suit, high to low; those in use cannot be tapped again, those held come back."""
    is_full = question.adds_to == TRICK and len(question.trick) >= question.most_in_trick
    if question.ask == DOUBLES or is_full:
        return []
    rows, in_use = [], {*question.trick, *filter(None, (question.top, question.card))}
    takes_off = question.ask == DOMINOES and question.adds_to != HAND
    for suit in SUITS:
        row = []
        for code in question.ranks:
            card = code + suit
            state = "used" if card in in_use else "lies" if card in question.layout else ""
            state = state or ("held" if card in question.hand else "")
            disabled = state == "used" or (state == "lies" and not takes_off)
            if question.ask != MOVES or card in question.pile.cards:
                row.append(Card(card, card_name(card), state, deed=f"add {card}", disabled=disabled))
        rows.append((_(SUIT_NAMES[suit]), row))
    return rows


# --- the answer ---


@dataclass(frozen=True)
class Choice:
    """A button that answers what the referee asks back."""

    deed: str
    words: str
    chosen: bool
    name: str = ""


@dataclass(frozen=True)
class Asked:
    """What the referee has to know: a question, and the answers there are."""

    words: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True)
class Answer:
    """What the referee says: yes, no or open, in a word and in sentences; and what else there is to know."""

    mark: str = ""
    word: str = ""
    because: tuple[str, ...] = ()
    cards: tuple[Card, ...] = ()
    others: tuple[Card, ...] = ()
    hand: tuple[Card, ...] = ()
    wins: str = ""
    asked: tuple[Asked, ...] = ()
    rules: tuple[str, ...] = ()
    led: Asked | None = None
    rows: tuple[Speaker, ...] = ()
    done: str = ""
    joker: tuple[str, ...] = ()


def answer(question: Question, *, named: bool) -> Answer:
    """What the referee says to a question."""
    if question.ask == TRICK:
        found = _trick(question, named)
    elif question.ask == HAND:
        found = _hand(question, named)
    elif question.ask == DOMINOES:
        found = _dominoes(question)
    elif question.ask == DOUBLES:
        found = _doubles(question)
    else:
        found = _moves(question)
    return replace(found, rules=tuple(map(says, _rules(question))))


FOLLOW = gettext_noop("Follow suit if you can. The highest card of the suit led wins the trick, and its winner leads.")
FOLLOW_TRUMPS = gettext_noop(
    "Follow suit if you can. The highest trump wins the trick, or else the highest card of the suit led; "
    "its winner leads."
)
LAYING = gettext_noop(
    "Play a card of the starting rank, or the next card up or down of a suit that has begun; aces are high, twos low. "
    "Who can play must; who cannot passes."
)


def _rules(question: Question) -> list[Sentence]:
    """The rules in force that this kind of question turns on, those of the house included."""
    if question.ask == DOMINOES:
        return [sentence(LAYING)]
    if question.ask == DOUBLES:
        return []
    only = structs.replace(question.ruleset, contracts=(question.contract,))
    base = [sentence(FOLLOW_TRUMPS if question.trump else FOLLOW)] if question.ask in (TRICK, HAND) else []
    return [*base, *play_customs(only)]


def _player(question: Question, place: int) -> str:
    """Who plays to the trick as this one, from 0, by name."""
    seat = question.seat(place)
    return "" if seat is None else question.turn.name(seat)


def _wins(question: Question, named: bool) -> str:
    """Who wins the trick, or would as it lies."""
    card = question.rules.winning(question.trick)
    if card is None or len(question.trick) < 2:
        return ""
    place, is_whole = question.trick.index(card), len(question.trick) == question.players
    player = _player(question, place) if named else ""
    if player:
        message = _("{card} wins the trick: {player}.") if is_whole else _("{card} wins so far: {player}.")
        return message.format(card=face(card), player=isolated(player))
    message = _("{card} wins the trick: card {number}.") if is_whole else _("{card} wins so far: card {number}.")
    return message.format(card=face(card), number=place + 1)


def _trick(question: Question, named: bool) -> Answer:
    """Who wins the trick, and whether the card in question was allowed."""
    at = question.in_question
    shown = tuple(
        Card(card, card_name(card), "asked" if place == at else "", _note(question, place, named), f"at {place}")
        for place, card in enumerate(question.trick)
    )
    base = Answer(
        cards=shown,
        wins=_wins(question, named),
        asked=_discarded(question, question.trick[:1]),
        led=_led(question) if named else None,
    )
    if at is None:
        return replace(base, word=_("Tap the cards as they were played."))
    trick, card = question.trick[:at], question.trick[at]
    if question.hand:
        ruling = question.rules.ruling(trick, (card, *question.hand), heart_discarded=question.heart_discarded)
        refused = [ruling.refused[card]] if card in ruling.refused else []
        verdict = Verdict(allowed=not refused, why=tuple(refused))
    else:
        verdict = question.rules.verdict(
            trick,
            card,
            holds_led=question.holds.get("play-revoke"),
            heart_discarded=question.heart_discarded,
        )
    return _judged(question, base, trick, card, verdict)


def _judged(question: Question, base: Answer, trick: tuple[str, ...], card: str, verdict: Verdict) -> Answer:
    """A verdict on a card in words, and what the referee asks back where it depends on the hand."""
    known = question.holds
    broken = [why for why in verdict.why if known.get(why.code)]
    still = [why for why in verdict.why if why.code not in known]
    rows = [code for code in known if code in DEPENDS]
    if verdict.allowed is None and not broken and still:
        rows.append(still[0].code)
    elif question.hand and not rows:
        rows.append("play-revoke" if trick and card[1] != trick[0][1] else "")
    asked = (*base.asked, *(_asked_back(question, trick, code) for code in rows if code))
    base = replace(base, asked=asked)
    name = face(card)
    if verdict.allowed is False or broken:
        why = broken[:1] or list(verdict.why)
        words = _("{card} is not allowed").format(card=name)
        return replace(base, mark="no", word=words, because=tuple(map(says, why)))
    if verdict.allowed is None and still:
        words = _("{card}: it depends").format(card=name)
        return replace(base, mark="open", word=words, because=(says(still[0]),))
    return replace(
        base,
        mark="yes",
        word=_("{card} is allowed").format(card=name),
        because=(says(_because(question, trick, card)),),
    )


def _because(question: Question, trick: tuple[str, ...], card: str) -> Sentence:
    """Why a card is allowed, in a sentence."""
    rules, play = question.rules, question.ruleset.play
    words = {"card": face(card), **rules.words(trick)}
    if not trick:
        if not rules.contract.is_about_hearts or card[1] != "H":
            return sentence(gettext_noop("{card} may be led: any suit may that no rule forbids."), **words)
        if play.hearts_lead == "free":
            return sentence(gettext_noop("Hearts may be led at any time here."), **words)
        if play.hearts_lead == "after-discard" and question.heart_discarded:
            return sentence(gettext_noop("A heart has been discarded, so hearts may be led."), **words)
        return sentence(gettext_noop("No other suit is held, so a heart may be led."), **words)
    top, beats = rules.winning(trick) or "", rules.winning((*trick, card)) == card
    if card[1] == trick[0][1]:
        if rules.trump != card[1] or not play.beat_trump_lead:
            return sentence(gettext_noop("{card} follows {led} in suit."), **words)
        message = gettext_noop("{card} follows suit, and no trump above {top} is held.")
        return sentence(gettext_noop("{card} follows suit and beats {top}.") if beats else message, **words)
    if rules.trump is None:
        free = gettext_noop("The suit of {led} is not held, so any card may be played.")
        counts = gettext_noop("The suit of {led} is not held, and {card} counts.")
        is_duty = play.void_penalty == "must" and card in rules.counted
        return sentence(counts if is_duty else free, **words)
    if card[1] == rules.trump:
        if beats and rules.is_trumped(trick):
            return sentence(gettext_noop("The suit of {led} is not held, and {card} beats {top}."), **words)
        if beats:
            return sentence(gettext_noop("The suit of {led} is not held, and {card} trumps."), **words)
        return sentence(gettext_noop("No trump above {top} is held, so a lower trump is allowed."), **words)
    if rules.is_trumped(trick) and top[1] == rules.trump and play.under_trump == "free":
        return sentence(gettext_noop("No trump above {top} is held, so any card may be played."), **words)
    return sentence(gettext_noop("Neither the suit of {led} nor a trump is held, so any card may be played."), **words)


def _asked_back(question: Question, trick: Sequence[str], code: str) -> Asked:
    """What is held that decides it: yes, no, or nobody knows; or the exact hand, card by card."""
    top = question.rules.winning(trick)
    led = _(SUIT_NAMES[trick[0][1]]) if trick else ""
    is_trumped = question.rules.is_trumped(trick) and question.ruleset.play.under_trump == "free"
    higher = _("Holds a trump above {top}").format(top=face(top) if top else "")
    words = {
        "play-heart-lead": _("Holds another suit"),
        "play-revoke": _("Holds {suit}").format(suit=led),
        "play-must-beat": higher,
        "play-must-trump": higher if is_trumped else _("Holds a trump"),
        "play-must-overtrump": higher,
        "play-must-discard": _("Holds a card that counts"),
    }[code]
    held = question.holds.get(code)
    taps = question.into == HAND or bool(question.hand)
    return Asked(
        words,
        (
            Choice(f"holds {code}-yes", _("Yes"), held is True),
            Choice(f"holds {code}-no", _("No"), held is False),
            Choice(f"holds {code}-unknown", _("Don't know"), held is None and not taps),
            Choice(f"into {HAND}", _("Tap the hand"), taps),
        ),
    )


def _discarded(question: Question, led: Sequence[str]) -> tuple[Asked, ...]:
    """Where a discarded heart frees the lead of hearts, whether one has been."""
    rules = question.rules
    is_asked = rules.contract.is_about_hearts and question.ruleset.play.hearts_lead == "after-discard"
    if not is_asked or (led and (led[0][1] != "H" or question.in_question)):
        return ()
    yes = Choice("discarded yes", _("Yes"), question.heart_discarded)
    no = Choice("discarded no", _("No"), not question.heart_discarded)
    return (Asked(_("A heart has been discarded"), (yes, no)),)


def _led(question: Question) -> Asked:
    """Who led, so that the page can name who wins."""
    names = enumerate(question.turn.players)
    return Asked(_("Who led"), tuple(Choice(f"led {seat}", name, seat == question.led_by) for seat, name in names))


def _note(question: Question, place: int, named: bool) -> str:
    return _player(question, place) if named else str(place + 1)


def _sorted_out(question: Question, ruling: Ruling) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """The cards that may be played, and the others, each with why not; a tap takes one out of the hand."""
    may = tuple(Card(one, card_name(one), "yes", deed=f"drop {one}") for one in question.sorted(ruling.legal))
    not_now = tuple(
        Card(one, card_name(one), "no", says(ruling.refused[one]), f"drop {one}")
        for one in question.sorted(ruling.refused)
    )
    return may, not_now


def _hand(question: Question, named: bool) -> Answer:
    """Which cards of a hand may be played now, and why not the others."""
    on_table = tuple(
        Card(card, card_name(card), "", _note(question, place, named), f"drop {card}")
        for place, card in enumerate(question.trick)
    )
    into = question.adds_to
    targets = (
        Choice(f"into {TRICK}", _("The trick"), into == TRICK),
        Choice(f"into {HAND}", _("The hand"), into == HAND),
    )
    base = Answer(
        cards=on_table,
        wins=_wins(question, named),
        asked=(Asked(_("Tapping"), targets), *(_discarded(question, ()) if not question.trick else ())),
        led=_led(question) if named else None,
    )
    if not question.hand:
        if question.trick:
            return replace(base, word=_("Tap the cards held."))
        return replace(base, word=_("Tap the cards held; first the trick, if one is begun."))
    ruling = question.rules.ruling(question.trick, question.hand, heart_discarded=question.heart_discarded)
    may, others = _sorted_out(question, ruling)
    word = _("Any of these may be played") if not others else _("May be played:")
    return replace(base, mark="yes", word=word, hand=may, others=others)


def _dominoes(question: Question) -> Answer:
    """What may be laid now, and whether a pass is allowed."""
    into = question.adds_to
    targets = (
        Choice("into layout", _("The layout"), into == "layout"),
        Choice(f"into {HAND}", _("The hand"), into == HAND),
    )
    base = Answer(asked=(Asked(_("Tapping"), targets),))
    lies = question.lies
    if not question.hand:
        every = [code + suit for suit in SUITS for code in question.ranks]
        fits = tuple(card for card in every if card not in question.layout and lies.fits(card))
        cards = tuple(Card(one, card_name(one), "yes", disabled=True) for one in fits)
        word = _("What fits now:") if fits else _("Everything lies on the table.")
        return replace(base, word=word, hand=cards)
    ruling = lies.ruling(question.hand)
    may, others = _sorted_out(question, ruling)
    if ruling.may_pass:
        because = (_("No card of the hand fits, so the turn passes."),)
        return replace(base, mark="yes", word=_("Pass"), because=because, others=others)
    because = (_("Who can play must: no pass."),)
    return replace(base, mark="yes", word=_("May be played:"), because=because, hand=may, others=others)


# --- doubling ---


@dataclass(frozen=True)
class Speaker:
    """A player's turn to double: whom they may, and what they said when they have spoken."""

    name: str
    is_now: bool
    is_declarer: bool
    choices: tuple[Choice, ...]
    says: str


def _doubles(question: Question) -> Answer:
    """Whose turn it is to double, whom they may and must double, and whether the hand can be passed out."""
    turn, order = question.turn, question.turn.speaking_order
    spoken = order[: question.spoken]
    targets = {seat: [whom for who, whom in question.doubles if who == seat] for seat in order}
    ruling = turn.doubling_ruling(question.contract, [(seat, targets[seat]) for seat in spoken])
    rows = []
    for seat in order:
        choices = [
            Choice(
                f"double {seat}-{whom}",
                turn.name(whom),
                whom in targets[seat],
                _("{who} doubles {whom}").format(who=turn.name(seat), whom=turn.name(whom)),
            )
            for whom in ruling.may_double
            if seat == ruling.seat
        ]
        said = _("doubled {others}") if targets[seat] else _("doubled nobody")
        others = ", ".join(isolated(turn.name(whom)) for whom in targets[seat])
        words = said.format(others=others) if seat in spoken else ""
        rows.append(Speaker(turn.name(seat), seat == ruling.seat, seat == turn.declarer, tuple(choices), words))
    found = Answer(rows=tuple(rows))
    if ruling.problems:
        wrong = tuple(map(says, ruling.problems))
        found = replace(found, mark="no", word=_("That is not allowed"), because=wrong)
    if ruling.seat is None:
        if ruling.problems:
            return found
        word = _("Passed out") if ruling.can_be_passed_out else _("The hand is played")
        return replace(found, mark="yes", word=word, because=(says(ruling.passing_out),))
    sentences = [sentence for sentence in (ruling.must, ruling.may, ruling.passing_out) if sentence is not None]
    name = isolated(turn.name(ruling.seat))
    return replace(
        found,
        mark=found.mark or "open",
        word=found.word or _("{player} speaks").format(player=name),
        because=(*found.because, *map(says, sentences)),
        done=_("{player} is done").format(player=name),
    )


# --- cards with moves of their own ---


def _moves(question: Question) -> Answer:
    """Whether a card may be played on the pile, what its move does, and what a joker cancels."""
    game, pile, into = question.ruleset, question.pile, question.adds_to
    targets = (
        Choice(f"into {TOP}", _("The top card"), into == TOP),
        Choice(f"into {HAND}", _("The card to play"), into == HAND),
    )
    suits = tuple(
        Choice(f"suit {suit}", SUIT_GLYPHS[suit] + NO_EMOJI, suit in question.suits, _(SUIT_NAMES[suit]))
        for suit in SUITS
    )
    asked = [Asked(_("Tapping"), targets), Asked(_("Face up before who plays"), suits)]
    if game.play.joker_bars_suits:
        yes, no = (Choice(f"jokers {n}", words, question.jokers == n) for n, words in ((1, _("Yes")), (0, _("No"))))
        asked.append(Asked(_("The first joker is out, the second is not"), (yes, no)))
    top = (Card(question.top, card_name(question.top), "", _("top card"), "top none"),) if question.top else ()
    base = Answer(cards=top, asked=tuple(asked), joker=_joker(question))
    if pile.cancels is not None:
        base = replace(base, led=replace(_led(question), words=_("Who played the top card")))
    if question.card is None:
        word = _("Tap the card to play.") if question.top else _("Tap the top card of the pile.")
        return replace(base, word=word)
    refused = pile.barred(question.card)
    name = face_of(question.card)
    move = moves(game, question.card)
    does = (f"{_(move.name)}: {_(move.says)}",) if move else (_("It has no special move."),)
    if question.card == JOKER and pile.cancels is not None:
        word = _("A joker: out of turn only")
        return replace(base, mark="open", word=word, because=base.joker, joker=())
    if refused:
        words = _("{card} is not allowed").format(card=name)
        return replace(base, mark="no", word=words, because=(says(refused), *(does if move else ())))
    words = _("{card} is allowed").format(card=name)
    return replace(base, mark="yes", word=words, because=(says(_fits(question, question.card)), *does))


def _fits(question: Question, card: str) -> Sentence:
    """Why a card may be played on the pile."""
    words = {"card": face_of(card), "top": face_of(question.top or "")} if question.top else {"card": face_of(card)}
    if question.top is None:
        return sentence(gettext_noop("A round starts with any card but a joker."))
    if card[0] == question.top[0]:
        return sentence(gettext_noop("{card} has the rank of {top}."), **words)
    if card[1] == question.top[1]:
        return sentence(gettext_noop("{card} has the suit of {top}."), **words)
    return sentence(gettext_noop("{card} has a suit that lies face up before the player."), **words)


def _joker(question: Question) -> tuple[str, ...]:
    """What a joker cancels now, a sentence a thing; nothing where it cancels nothing."""
    if question.top is None:
        return ()
    found = cancel(question.pile, question.led_by or 0, question.turn.players)
    return (says(found),) if isinstance(found, Problem) else tuple(map(says, found.says))
