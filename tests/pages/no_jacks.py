"""Rules with one new contract of every kind, which no line of the code has ever heard of."""

from typing import Any

NO_JACKS: dict[str, Any] = {
    "code": "strange-things",
    "name": "Strange things",
    "about": "A contract of every kind that no other game has.",
    "rotation": "each-deal",
    "dealer": "before",
    "doubling": {"who": "everyone", "positives": "declarer", "compulsory": 1, "undoubled": "passed-out"},
    "contracts": [
        {
            "kind": "counts",
            "code": "no-jacks",
            "name": "No Jacks",
            "short": "NJ",
            "sign": "negative",
            "early": "The hand may stop once the fourth jack has been taken.",
            "items": [
                {
                    "code": "jacks",
                    "name": "Jacks",
                    "one": "jack",
                    "many": "jacks",
                    "each": -6,
                    "count": 4,
                    "cards": ["J*"],
                }
            ],
        },
        {
            "kind": "counts",
            "code": "no-beer-card",
            "name": "No Beer Card",
            "short": "7D",
            "sign": "negative",
            "items": [
                {
                    "code": "seven-of-diamonds",
                    "name": "Seven of diamonds",
                    "one": "seven of diamonds",
                    "many": "sevens of diamonds",
                    "each": -21,
                    "count": 1,
                    "cards": ["7D"],
                }
            ],
        },
        {
            "kind": "counts",
            "code": "clubs-are-trumps",
            "name": "Many Tricks",
            "short": "MT",
            "sign": "positive",
            "needs": "trump",
            "items": [{"code": "tricks", "name": "Tricks", "one": "trick", "many": "tricks", "each": 4, "count": 13}],
        },
        {
            "kind": "finish",
            "code": "race",
            "name": "Race",
            "short": "Ra",
            "sign": "positive",
            "needs": "start",
            "places": [30, 15, 0, -6],
        },
        {
            "kind": "ravaged",
            "code": "flooded",
            "name": "Flooded",
            "short": "Fl",
            "sign": "negative",
            "penalty": -48,
        },
        {
            "kind": "beats",
            "code": "three-rows",
            "name": "Three Rows",
            "short": "3R",
            "sign": "positive",
            "unit": 2,
        },
    ],
    "examples": [
        {
            "says": "No Jacks. Bob doubled Ann, who took two.",
            "hand": {
                "contract": "no-jacks",
                "doubles": [["Bob", "Ann"]],
                "result": {"counts": {"jacks": {"Ann": 2, "Cy": 1, "Dee": 1}}},
            },
            "total": {"Ann": -24, "Bob": 12, "Cy": -6, "Dee": -6},
        }
    ],
}
"""As an object of a rulebook file: it adds up to +6 a player, on purpose."""
