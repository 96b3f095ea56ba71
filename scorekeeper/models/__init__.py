"""What is stored: only what people at the table said and did, never a score."""

from .device import Device, SpokenCode, Try, renew_links
from .lately import LATELY
from .match import Conflict, Hand, Match, Outcome, Refused, Saved, Seat, State, states
from .table import NIGHT, OWN, Player, Table, TableRules, new_code, new_mark, tidy

__all__ = [
    "LATELY",
    "NIGHT",
    "OWN",
    "Conflict",
    "Device",
    "Hand",
    "Match",
    "Outcome",
    "Player",
    "Refused",
    "Saved",
    "Seat",
    "SpokenCode",
    "State",
    "Table",
    "TableRules",
    "Try",
    "new_code",
    "new_mark",
    "renew_links",
    "states",
    "tidy",
]
