"""``python -m referee``: exit codes, several files, standard input, and no traceback whatever it is given."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from test_matchfile import EXAMPLE

from referee import names
from referee.__main__ import main

ROOT = Path(__file__).parents[2]
SOUND = json.dumps(EXAMPLE)
IMPOSSIBLE = json.dumps(EXAMPLE | {"hands": [{"contract": "barbu", "trump": "S", "declarer": "Zoe"}]})


@pytest.fixture
def write(tmp_path):
    """Write a file; its name."""

    def write(name: str, text: str | bytes) -> str:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    return write


def run(*arguments, text=b"", **how):
    """The command as a process of its own."""
    command = [sys.executable, "-m", "referee", *arguments]
    return subprocess.run(command, cwd=ROOT, input=text, capture_output=True, timeout=60, check=False, **how)


def test_a_sound_match_is_worked_out(write, capfd):
    assert main(["score", write("m.json", SOUND)]) == 0
    answer = json.loads(capfd.readouterr().out)
    assert answer == {
        "ruleset": "barbu",
        "hands": answer["hands"],
        "standings": [
            {"player": "Bob", "score": 75, "place": 1},
            {"player": "Cy", "score": 34, "place": 2},
            {"player": "Ann", "score": -1, "place": 3},
            {"player": "Dee", "score": -28, "place": 4},
        ],
        "owed": {
            "Ann": {"Bob": 2, "Cy": 2, "Dee": 2},
            "Bob": {"Ann": 1, "Cy": 2, "Dee": 2},
            "Cy": {"Ann": 1, "Bob": 2, "Dee": 2},
            "Dee": {"Ann": 2, "Bob": 2, "Cy": 1},
        },
        "forced": {"Ann": [], "Bob": [], "Cy": [], "Dee": []},
        "left": {
            "Ann": ["misere", "no-hearts", "barbu", "no-last-two", "trumps", "dominoes"],
            "Bob": ["no-hearts", "no-queens", "barbu", "no-last-two", "trumps", "dominoes"],
            "Cy": ["misere", "no-hearts", "no-queens", "barbu", "no-last-two", "dominoes"],
            "Dee": ["misere", "no-hearts", "no-queens", "barbu", "no-last-two", "trumps"],
        },
        "next": {"number": 5, "declarer": "Ann", "dealer": "Ann"},
        "finished": False,
        "winners": [],
    }
    assert answer["hands"][0] == {
        "number": 1,
        "declarer": "Ann",
        "dealer": "Ann",
        "contract": "no-queens",
        "passed_out": False,
        "basic": {"Ann": -6, "Bob": 0, "Cy": -6, "Dee": -12},
        "doubling": {"Ann": -6, "Bob": 24, "Cy": -6, "Dee": -12},
        "total": {"Ann": -12, "Bob": 24, "Cy": -12, "Dee": -24},
        "running": {"Ann": -12, "Bob": 24, "Cy": -12, "Dee": -24},
        "remarks": [],
    }


def scored(write, capfd, **changes):
    code = main(["score", write("m.json", json.dumps(EXAMPLE | changes))])
    return code, json.loads(capfd.readouterr().out)


def test_an_unfinished_last_hand_stands_without_scores_and_is_the_next(write, capfd):
    hands = [{"contract": "misere", "doubles": []}, {"contract": "barbu", "doubles": [["Ann", "Bob"]]}]
    code, answer = scored(write, capfd, hands=hands)
    assert code == 0
    assert answer["hands"][1] == {"number": 2, "declarer": "Bob", "dealer": "Bob", "contract": "barbu"}
    assert answer["next"] == {"number": 2, "declarer": "Bob", "dealer": "Bob"}
    assert answer["owed"]["Ann"]["Bob"] == 2
    assert "barbu" in answer["left"]["Bob"]


def test_an_adjustment_stands_in_its_hand_and_counts_in_the_running_total(write, capfd):
    adjustment = {"points": {"Ann": -10, "Bob": 10}, "reason": "revoke"}
    hand = {"contract": "misere", "doubles": [], "adjustment": adjustment}
    _, answer = scored(write, capfd, hands=[hand])
    assert answer["hands"][0]["adjustment"] == adjustment
    assert answer["hands"][0]["total"] == {"Ann": 1, "Bob": -9, "Cy": -9, "Dee": -9}
    assert answer["hands"][0]["running"] == {"Ann": -9, "Bob": 1, "Cy": -9, "Dee": -9}


def test_whom_a_player_must_double_next_is_forced(write, capfd):
    contracts = ("misere", "no-hearts", "no-queens", "barbu", "no-last-two")
    _, answer = scored(write, capfd, ruleset="barbu-classic", hands=[{"contract": c, "doubles": []} for c in contracts])
    assert answer["forced"] == {"Ann": [], "Bob": ["Ann"], "Cy": ["Ann"], "Dee": ["Ann"]}


def test_a_remark_stands_with_its_hand(write, capfd):
    contracts = ("misere", "no-hearts", "no-queens", "barbu", "no-last-two")
    hands = [{"contract": c, "doubles": []} for c in contracts]
    hands += [{"contract": "dominoes", "start": "7", "doubles": [], "result": {"finish": EXAMPLE["players"]}}]
    code, answer = scored(write, capfd, ruleset="barbu-classic", hands=hands)
    assert code == 0
    assert answer["hands"][5]["remarks"][0] == {
        "code": "double-owed",
        "where": "doubles",
        "says": "Bob owes Ann 2 and Ann declares 2 more, this one included: the double was compulsory.",
    }


def test_games_without_declarers_have_nulls_in_their_place(write, capfd):
    hand = {"result": {"counts": {"barbaras": {"Ann": 3, "Bob": 1}, "fives": {}, "ones": {"Cy": 2}}}}
    _, answer = scored(write, capfd, ruleset="get-barbara", hands=[hand])
    assert (answer["owed"], answer["forced"], answer["left"]) == ({}, {}, {})
    assert answer["next"] == {"number": 2, "declarer": None, "dealer": None}
    told = answer["hands"][0]
    assert (told["declarer"], told["dealer"], told["contract"], told["passed_out"]) == (
        None,
        None,
        None,
        False,
    )
    assert set(told["doubling"].values()) == {0}


def test_games_without_doubling_have_no_duties(write, capfd):
    _, answer = scored(write, capfd, ruleset="king", hands=[])
    assert (answer["owed"], answer["forced"]) == ({}, {})
    assert answer["left"]["Ann"]


def test_games_with_coups_have_a_bank(write, capfd):
    hand = {"contract": "queens", "coup": {"by": "Cy", "made": False}}
    _, answer = scored(write, capfd, ruleset="coup-detat", hands=[hand])
    assert answer["bank"] == 800
    assert answer["left"]["Bob"] == []
    assert answer["hands"][0]["running"] == {"Ann": 10000, "Bob": 10000, "Cy": 9200, "Dee": 10000}


def test_a_match_that_is_over_has_winners_and_no_next_hand(write, capfd):
    hands = [{"result": {"counts": {"barbaras": {"Ann": 3, "Bob": 1}, "fives": {"Ann": 14}, "ones": {}}}}]
    _, answer = scored(write, capfd, ruleset="get-barbara", hands=hands)
    assert (answer["next"], answer["finished"], answer["winners"]) == (None, True, ["Cy", "Dee"])


def test_a_match_that_cannot_be_exits_with_one_and_tells_every_problem_of_the_hand(write, capfd):
    assert main(["score", write("m.json", IMPOSSIBLE)]) == 1
    assert json.loads(capfd.readouterr().out) == {
        "problems": [
            {
                "hand": 1,
                "code": "unknown-player",
                "where": "declarer",
                "says": "Zoe is not a player of this match.",
            },
            {
                "hand": 1,
                "code": "not-for-this-contract",
                "where": "trump",
                "says": "Barbu has no trump suit.",
            },
        ]
    }


def test_problems_of_the_match_itself_have_no_hand(write, capfd):
    code, answer = scored(write, capfd, players=["Ann", "ann", "Cy"])
    assert code == 1
    assert [(found["hand"], found["code"]) for found in answer["problems"]] == [
        (None, "player-count"),
        (None, "duplicate-player"),
    ]


def test_a_rule_set_nobody_knows_exits_with_one(write, capfd):
    code, answer = scored(write, capfd, ruleset="bridge")
    assert (code, answer["problems"][0]["code"]) == (1, "unknown-ruleset")


def test_no_match_at_all_exits_with_two_and_says_which_hand(write, capfd):
    hands = [{"contract": "misere", "doubles": []}, {"contract": 5}]
    code, answer = scored(write, capfd, hands=hands)
    assert code == 2
    assert answer == {
        "problems": [{"hand": 2, "code": "not-a-match", "where": "contract", "says": "hand 2, contract: 5 is no text."}]
    }


def test_one_file_is_one_object_and_several_are_one_a_line(write, capfd):
    main(["score", write("m.json", SOUND)])
    assert capfd.readouterr().out.count("\n") > 10
    main(["score", write("m.json", SOUND), write("n.json", SOUND)])
    assert [json.loads(line)["ruleset"] for line in capfd.readouterr().out.splitlines()] == ["barbu", "barbu"]


def test_of_several_files_the_worst_code_counts_and_their_order_stays(write, capfd):
    files = [
        write("a.json", SOUND),
        write("b.json", IMPOSSIBLE),
        write("c.json", "{"),
        write("d.json", SOUND),
    ]
    for chosen, worst in (
        (files[:1], 0),
        (files[:2], 1),
        (files, 2),
        (files[2:], 2),
        ([files[1], files[3]], 1),
    ):
        assert main(["score", *chosen]) == worst
        lines = capfd.readouterr().out
        if len(chosen) > 1:
            kinds = ["problems" in json.loads(line) for line in lines.splitlines()]
            assert kinds == ["a.json" not in name and "d.json" not in name for name in chosen]


def cannot_be_read(name, capfd):
    assert main(["score", name]) == 2
    (found,) = json.loads(capfd.readouterr().out)["problems"]
    assert (found["hand"], found["code"], found["where"]) == (None, "not-a-match", "file")
    return found["says"]


def test_a_file_that_is_not_there(tmp_path, capfd):
    assert cannot_be_read(str(tmp_path / "no.json"), capfd).endswith(
        "no.json cannot be read: No such file or directory."
    )


def test_a_directory_is_no_file(tmp_path, capfd):
    assert cannot_be_read(str(tmp_path), capfd).endswith("cannot be read: Is a directory.")


@pytest.fixture
def ordinary_user():
    """Nobody in particular, since the superuser may read every file."""
    superuser = os.geteuid() == 0
    if superuser:
        os.seteuid(65534)
    yield
    if superuser:
        os.seteuid(0)


def test_a_file_that_may_not_be_read(write, capfd, request):
    name = write("m.json", SOUND)
    Path(name).chmod(0)
    request.getfixturevalue("ordinary_user")
    assert cannot_be_read(name, capfd).endswith("cannot be read: Permission denied.")


def test_a_name_that_no_file_can_have(capfd):
    assert cannot_be_read("a\0b", capfd) == "a\0b cannot be read: embedded null byte."


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no endless file here")
def test_a_file_without_an_end(capfd, monkeypatch):
    monkeypatch.setattr("referee.jsontext.LARGEST", 1000)
    assert cannot_be_read("/dev/zero", capfd) == "The file has more than 1,000 bytes."


def test_a_dash_reads_standard_input():
    answer = run("score", "-", text=SOUND.encode())
    assert answer.returncode == 0
    assert json.loads(answer.stdout)["ruleset"] == "barbu"


def test_output_is_utf_8_whatever_the_terminal_speaks():
    text = json.dumps(EXAMPLE | {"players": ["Zoë", "Bob", "Cy", "Dee"], "first_declarer": "Zoë", "hands": []})
    answer = run("score", "-", text=text.encode(), env=os.environ | {"PYTHONIOENCODING": "ascii", "LC_ALL": "C"})
    assert "Zoë" in answer.stdout.decode("utf-8")


def test_bytes_of_a_files_name_that_are_no_text_are_no_trouble():
    answer = run("score", b"no\xff.json")
    assert answer.returncode == 2
    assert json.loads(answer.stdout)["problems"][0]["says"].startswith("no?.json cannot be read: ")


needs_a_shell = pytest.mark.skipif(os.name != "posix", reason="a shell's redirections")


def shell(line: str) -> subprocess.CompletedProcess[bytes]:
    """A line of the shell with ``$REFEREE`` for the command."""
    env = os.environ | {"REFEREE": f"{sys.executable} -m referee"}
    return subprocess.run(line, shell=True, cwd=ROOT, env=env, capture_output=True, timeout=60, check=False)


@needs_a_shell
def test_a_reader_who_goes_away_is_no_fault(write):
    name = write("m.json", SOUND)
    answer = shell(f"{{ $REFEREE score {name} {name}; echo code $? >&2; }} | true")
    assert answer.stderr == b"code 0\n"


@needs_a_shell
def test_output_that_cannot_be_written_is_told(write):
    name = write("m.json", SOUND)
    answer = shell(f"$REFEREE score {name} >&-")
    assert answer.returncode == 2
    assert answer.stderr == b"The answer cannot be written: Bad file descriptor.\n"
    assert shell(f"$REFEREE score {name} >&- 2>&-").returncode == 2


@needs_a_shell
def test_output_that_is_closed_in_this_process_is_told_too(write, capfd):
    name, output = write("m.json", SOUND), os.dup(1)
    os.close(1)
    try:
        code = main(["score", name])
    finally:
        os.dup2(output, 1)
        os.close(output)
    assert code == 2
    assert capfd.readouterr().err == "The answer cannot be written: Bad file descriptor.\n"


@needs_a_shell
def test_standard_input_that_is_closed_is_told():
    answer = shell("$REFEREE score - <&-")
    assert answer.returncode == 2
    assert b"Standard input cannot be read: Bad file descriptor." in answer.stdout


def test_a_hundred_thousand_hands_end_soon():
    hand = {"contract": "misere", "doubles": []}
    answer = run("score", "-", text=json.dumps(EXAMPLE | {"hands": [hand] * 100_000}).encode())
    assert answer.returncode == 1
    assert json.loads(answer.stdout)["problems"][0]["hand"] == 5


def test_the_rule_sets_are_listed(capfd):
    assert main(["rules"]) == 0
    listed = capfd.readouterr().out.splitlines()
    assert [line.split()[0] for line in listed] == list(names())
    assert listed[0] == "barbu              Barbu"


@pytest.mark.parametrize("name", names())
def test_a_rule_set_is_explained(name, capfd):
    assert main(["rules", name]) == 0
    assert len(capfd.readouterr().out.splitlines()) > 20


def test_a_rule_set_nobody_knows_is_told_with_those_there_are(capfd):
    assert main(["rules", "bridge"]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err.startswith("There is no rule set “bridge”; there are: barbu, barbu-classic,")


@pytest.mark.parametrize("arguments", [[], ["score"], ["rules", "barbu", "king"], ["referee"]])
def test_anything_else_is_answered_with_the_usage(arguments, capfd):
    assert main(arguments) == 2
    assert capfd.readouterr().err.startswith("usage: python -m referee score FILE")


def test_help_is_given(capfd):
    assert main(["--help"]) == main(["-h"]) == 0
    assert capfd.readouterr().out.startswith("usage: ")
