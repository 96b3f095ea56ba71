"""The referee: rules, scores and duties of Barbu and its relatives, in plain Python.

A tour, from a rule set to the standings:

>>> import referee
>>> barbu = referee.load("barbu")
>>> [contract.name for contract in barbu.contracts][:3]
['Misère', 'No Hearts', 'No Queens']

Seats are numbers in the order of play. Ann declares Misère, nobody doubles: it is passed out.

>>> from referee import Hand, Match, Result
>>> match = Match(barbu, ("Ann", "Bob", "Cy", "Dee"), hands=(Hand(contract="misere", doubles=()),))
>>> match.scored[0].passed_out, match.scored[0].total
(True, (1, -9, -9, -9))

Then Bob declares. Cy doubles him, and Bob takes the king of hearts.

>>> hand = Hand(contract="barbu", doubles=((2, 1),), result=Result(counts={"king-of-hearts": {1: 1}}))
>>> match.turn.problems(hand)
()
>>> match = match.with_hands((*match.hands, hand))
>>> match.scored[-1].basic, match.scored[-1].total
((0, -20, 0, 0), (0, -40, 20, 0))
>>> match.turn.owed(2, 1), match.turn.owed(0, 1)
(1, 2)

What cannot have happened comes back as data, with the numbers in it.

>>> from referee import to_record
>>> wrong = Hand(contract="no-queens", doubles=((3, 2),), result=Result(counts={"queens": {0: 3}}))
>>> [(p.code, p.where, p.says) for p in match.turn.problems(wrong)]
[('count-mismatch', 'queens', '3 queens entered; 4 were played. 1 missing.')]
"""

from .explain import Explanation, explain
from .hands import Adjustment, Coup, Hand, Result, Trick, from_record, to_record
from .judging import name_key
from .match import Match, ScoredHand, Standing, Turn
from .problems import BadRuleSet, NotAMatch, Problem, Sentence
from .rules import Beats, Contract, Counts, Finish, Item, Ravaged, RuleSet, load, names
from .stakes import Stakes, stakes

__all__ = [
    "Adjustment",
    "BadRuleSet",
    "Beats",
    "Contract",
    "Counts",
    "Coup",
    "Explanation",
    "Finish",
    "Hand",
    "Item",
    "Match",
    "NotAMatch",
    "Problem",
    "Ravaged",
    "Result",
    "RuleSet",
    "ScoredHand",
    "Sentence",
    "Stakes",
    "Standing",
    "Trick",
    "Turn",
    "explain",
    "from_record",
    "load",
    "name_key",
    "names",
    "stakes",
    "to_record",
]
