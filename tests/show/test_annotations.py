"""What code hosts read of a remark; hostile text stays text."""

import json

import pytest

from git_retcon.show.annotations import Level, Remark, make_sarif, make_workflow_command

REMARK = Remark(b"spec/a.allium", 5, 15, Level.ERROR, "no type 'X'", "allium.type")


@pytest.mark.parametrize(
    ("level", "name"),
    [(Level.ERROR, "error"), (Level.WARNING, "warning"), (Level.INFO, "notice")],
)
def test_a_workflow_command_names_the_place(level: Level, name: str) -> None:
    assert make_workflow_command(REMARK._replace(level=level)) == (
        f"::{name} file=spec/a.allium,line=5,col=15,title=allium.type::no type 'X'"
    )


def test_text_of_a_file_cannot_begin_a_command_of_its_own() -> None:
    remark = REMARK._replace(file=b"a,b:c%\n.allium", message="100%\r\n::add-mask::x\x1b[m")
    assert make_workflow_command(remark) == (
        "::error file=a%2Cb%3Ac%25\\n.allium,line=5,col=15,title=allium.type"
        "::100%25%0D%0A::add-mask::x\\x1b[m"
    )


def test_a_log_holds_each_rule_once_and_every_result() -> None:
    other = Remark(b"b c\xff.allium", 1, 2, Level.INFO, "x", "allium.info")
    log = json.loads(make_sarif("git-allium", [REMARK, other, REMARK]))
    assert (log["version"], len(log["runs"])) == ("2.1.0", 1)
    (run,) = log["runs"]
    assert run["tool"]["driver"]["name"] == "git-allium"
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert rules == ["allium.info", "allium.type"]
    told = [
        (result["ruleId"], rules[result["ruleIndex"]], result["level"], result["message"]["text"])
        for result in run["results"]
    ]
    first = ("allium.type", "allium.type", "error", "no type 'X'")
    assert told == [first, ("allium.info", "allium.info", "note", "x"), first]
    (place,) = run["results"][1]["locations"]
    assert place["physicalLocation"] == {
        "artifactLocation": {"uri": "b%20c%FF.allium"},
        "region": {"startLine": 1, "startColumn": 2},
    }


def test_what_has_no_line_or_no_file_is_said_without() -> None:
    whole = REMARK._replace(line=0, column=0)
    nowhere = whole._replace(file=b"")
    assert make_workflow_command(whole) == (
        "::error file=spec/a.allium,title=allium.type::no type 'X'"
    )
    assert make_workflow_command(nowhere) == "::error title=allium.type::no type 'X'"
    (run,) = json.loads(make_sarif("git-allium", [whole, nowhere]))["runs"]
    first, second = run["results"]
    (place,) = first["locations"]
    # Code scanning wants a line.
    assert place["physicalLocation"]["region"] == {"startLine": 1, "startColumn": 1}
    assert "locations" not in second


def test_each_rule_has_the_texts_that_code_scanning_shows() -> None:
    (run,) = json.loads(make_sarif("git-allium", [REMARK]))["runs"]
    assert run["tool"]["driver"]["rules"] == [
        {
            "id": "allium.type",
            "shortDescription": {"text": "allium.type"},
            "fullDescription": {"text": "allium.type, found by git-allium"},
            "help": {"text": "The manual of git-allium says what it checks."},
        }
    ]


def test_a_log_of_nothing_is_a_log() -> None:
    (run,) = json.loads(make_sarif("git-allium", []))["runs"]
    assert run["results"] == []
