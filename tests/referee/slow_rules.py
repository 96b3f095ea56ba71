"""The rules of play said a second time, slowly and plainly, for the referee's answers to be compared with.

Nothing here is taken from the referee. A card is rank then suit, ``"9S"``; a trick is its cards in the
order played. ``switches`` are those of a rule set by name, contracts go by their codes in the rule book.
"""

HIGH_TO_LOW = ["A", "K", "Q", "J", "T", "9", "8", "7", "6", "5", "4", "3", "2"]
SUITS = ["S", "H", "D", "C"]
DECK = [rank + suit for suit in SUITS for rank in HIGH_TO_LOW]

HEARTS = [rank + "H" for rank in HIGH_TO_LOW]
QUEENS = ["QS", "QH", "QD", "QC"]
MEN = ["KS", "KH", "KD", "KC", "JS", "JH", "JD", "JC"]
PENALTY_CARDS = {"no-hearts": HEARTS, "no-queens": QUEENS, "no-men": MEN, "barbu": ["KH"]}
ITEMS = {
    "no-hearts": "hearts",
    "no-queens": "queens",
    "no-men": "kings-and-jacks",
    "barbu": "king-of-hearts",
}
HEARTS_ARE_HELD_BACK = ["no-hearts", "barbu"]


def suit(card):
    return card[1]


def is_higher(card, other):
    """The first of two cards of one suit ranks above the second."""
    return HIGH_TO_LOW.index(card[0]) < HIGH_TO_LOW.index(other[0])


def beats(card, other, trump):
    """A card beats another that was played before it."""
    if suit(card) == suit(other):
        return is_higher(card, other)
    return suit(card) == trump


def winner(trick, trump):
    """The place in the trick of the card that wins."""
    best = 0
    for place in range(1, len(trick)):
        if beats(trick[place], trick[best], trump):
            best = place
    return best


def why_not(card, hand, trick, contract, trump, switches, heart_discarded):
    """The code of the rule that forbids a card of this hand, or None where it may be played."""
    if not trick:
        return why_not_lead(card, hand, contract, switches, heart_discarded)
    led = suit(trick[0])
    of_suit_led = [held for held in hand if suit(held) == led]
    if of_suit_led:
        if suit(card) != led:
            return "play-revoke"
        if led == trump and switches["beat_trump_lead"]:
            highest = [played for played in trick if suit(played) == trump]
            can = [held for held in of_suit_led if all(is_higher(held, played) for played in highest)]
            if can and card not in can:
                return "play-must-beat"
        return None
    my_trumps = [held for held in hand if suit(held) == trump]
    if my_trumps:
        their_trumps = [played for played in trick if suit(played) == trump]
        can = [held for held in my_trumps if all(is_higher(held, played) for played in their_trumps)]
        if not their_trumps and suit(card) != trump:
            return "play-must-trump"
        if their_trumps and can:
            if suit(card) != trump:
                return "play-must-trump"
            if card not in can:
                return "play-must-overtrump"
        if their_trumps and not can and switches["under_trump"] == "must" and suit(card) != trump:
            return "play-must-trump"
    penalties = [held for held in hand if held in PENALTY_CARDS.get(contract, [])]
    if penalties and card not in penalties:
        if switches["void_penalty"] == "must":
            return "play-must-discard"
        if contract == "barbu" and switches["king_first_chance"]:
            return "play-must-discard"
    return None


def why_not_lead(card, hand, contract, switches, heart_discarded):
    if contract not in HEARTS_ARE_HELD_BACK or suit(card) != "H":
        return None
    if all(suit(held) == "H" for held in hand):
        return None
    if switches["hearts_lead"] == "free":
        return None
    if switches["hearts_lead"] == "after-discard" and heart_discarded:
        return None
    return "play-heart-lead"


def is_heart_discarded(trick):
    """Somebody threw a heart on another suit."""
    return suit(trick[0]) != "H" and any(suit(card) == "H" for card in trick)


def faults(hands, tricks, leaders, contract, trump, switches):
    """Every card of a hand played to its end that was against the rules: code, number of the trick, card."""
    hands = [list(hand) for hand in hands]
    found, heart_discarded = [], False
    for number, (trick, leader) in enumerate(zip(tricks, leaders, strict=True), 1):
        for place, card in enumerate(trick):
            hand = hands[(leader + place) % 4]
            code = why_not(card, hand, trick[:place], contract, trump, switches, heart_discarded)
            if code:
                found.append((code, number, card))
            hand.remove(card)
        heart_discarded = heart_discarded or is_heart_discarded(trick)
    return found


def may_stop(tricks, contract):
    """All cards that count are out."""
    out = [card for trick in tricks for card in trick]
    return contract in PENALTY_CARDS and all(card in out for card in PENALTY_CARDS[contract])


def outcome(tricks, winners, contract, ace_apart=False):
    """The result of a hand for four players as a match file tells it; who took nothing is not named."""
    took = [[] for _ in range(4)]
    for trick, won in zip(tricks, winners, strict=True):
        took[won] += trick
    if contract == "ravage-city":
        most = [max(sum(suit(card) == one for card in cards) for one in SUITS) for cards in took]
        return {"ravaged": tuple(player for player in range(4) if most[player] == max(most))}
    if contract in ("misere", "trumps"):
        return {"counts": {"tricks": named([winners.count(player) for player in range(4)])}}
    if contract == "no-last-two":
        return {"counts": {"trick-12": {winners[11]: 1}, "trick-13": {winners[12]: 1}}}
    penalties = PENALTY_CARDS[contract]
    counts = {ITEMS[contract]: named([sum(card in penalties for card in cards) for cards in took])}
    if ace_apart and contract == "no-hearts":
        counts["ace-of-hearts"] = named([int("AH" in cards) for cards in took])
    return {"counts": counts}


def named(numbers):
    return {player: number for player, number in enumerate(numbers) if number}


def why_not_lay(card, start, layout):
    """The code that forbids laying a card at dominoes, or None where it fits."""
    row = [other for other in layout if suit(other) == suit(card)]
    if not row:
        return None if card[0] == start else "play-does-not-fit"
    places = [HIGH_TO_LOW.index(other[0]) for other in row]
    ends = [min(places) - 1, max(places) + 1]
    return None if HIGH_TO_LOW.index(card[0]) in ends else "play-does-not-fit"
