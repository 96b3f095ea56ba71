"""What is stored: only what people at the table said and did, never a score."""

from .match import Conflict, Hand, Match, Outcome, Refused, Saved, Seat, State, states
from .table import OWN, Player, Table, TableRules, new_code, new_mark

__all__ = [
    "OWN",
    "Conflict",
    "Hand",
    "Match",
    "Outcome",
    "Player",
    "Refused",
    "Saved",
    "Seat",
    "State",
    "Table",
    "TableRules",
    "new_code",
    "new_mark",
    "states",
]
