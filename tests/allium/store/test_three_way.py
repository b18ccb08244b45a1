"""Merging two versions of a module."""

from git_retcon.allium.store.three_way import ask_about, make_question, merge_modules

HEAD = "-- allium: 3\n-- Orders.\n"
ORDER = "entity Order {\n    total: Integer\n    paid: Boolean\n}\n"


def spec(*parts: str) -> bytes:
    return "\n".join([HEAD, *parts]).encode()


BASE = spec(ORDER, "enum State { open | paid }\n")


def test_what_one_side_changed_is_taken() -> None:
    theirs = BASE.replace(b"open | paid", b"open | paid | shipped")
    assert merge_modules(BASE, BASE, theirs).content == theirs
    assert merge_modules(BASE, theirs, BASE).content == theirs
    assert merge_modules(BASE, theirs, theirs).content == theirs


def test_what_both_added_is_there_once_each() -> None:
    ours = BASE + b"\nentity Mine {\n}\n\nvalue Both {\n    a: Integer\n}\n"
    theirs = BASE + b"\nentity Theirs {\n}\n\nvalue Both {\n    a: Integer\n}\n"
    merged = merge_modules(BASE, ours, theirs)
    assert not merged.conflicts
    assert [line for line in merged.content.decode().splitlines() if "{" in line] == [
        "entity Order {",
        "enum State { open | paid }",
        "entity Mine {",
        "entity Theirs {",
        "value Both {",
    ]


def test_fields_of_one_entity_are_merged_by_name() -> None:
    ours = BASE.replace(b"    paid: Boolean\n", b"    paid: Boolean\n    note: String -- ours\n")
    theirs = BASE.replace(b"total: Integer", b"total: Decimal").replace(
        b"    paid: Boolean\n", b"    paid: Boolean\n    due: Timestamp\n"
    )
    merged = merge_modules(BASE, ours, theirs)
    assert not merged.conflicts
    assert (
        "entity Order {\n    total: Decimal\n    paid: Boolean\n    note: String -- ours\n"
        "    due: Timestamp\n}\n"
    ) in merged.content.decode()


def test_one_field_changed_in_two_ways_is_a_conflict_and_ours_stays() -> None:
    ours = BASE.replace(b"total: Integer", b"total: Decimal")
    theirs = BASE.replace(b"total: Integer", b"total: String")
    merged = merge_modules(BASE, ours, theirs)
    assert merged.content == ours
    assert [conflict.title for conflict in merged.conflicts] == ["entity Order: field total"]
    (question,) = ask_about(merged.conflicts, ("main", "topic"))
    assert question.text == (
        b'open question "entity Order: field total: main and topic changed it each in its way; '
        b'the version of main stays. Which one is right?"'
    )


def test_what_one_side_removed_and_the_other_changed_stays() -> None:
    gone = spec("enum State { open | paid }\n")
    changed = BASE.replace(b"total: Integer", b"total: Decimal")
    for ours, theirs in ((gone, changed), (changed, gone)):
        merged = merge_modules(BASE, ours, theirs)
        assert b"total: Decimal" in merged.content
        assert len(merged.conflicts) == 1
    assert merge_modules(BASE, gone, BASE).content == gone
    assert b"entity" not in merge_modules(BASE, BASE, gone).content


def test_two_sides_with_nothing_in_common() -> None:
    merged = merge_modules(b"", spec(ORDER), spec("entity Other {\n}\n"))
    assert not merged.conflicts
    assert b"entity Order" in merged.content
    assert b"entity Other" in merged.content


def test_a_use_that_one_side_took_out_stays_where_the_other_needs_it() -> None:
    use = 'use "./post.allium" as post\n'
    ours = spec("entity C {\n}\n")
    base, needed = (
        spec(use, f"entity {name} {{\n    kind: post/Kind\n}}\n") for name in ("A", "B")
    )
    assert use in merge_modules(base, ours, needed).content.decode()
    assert use in merge_modules(base, needed, ours).content.decode()
    unused = spec(use, "entity B {\n}\n")
    assert use not in merge_modules(base, ours, unused).content.decode()


def test_a_question_about_any_subject_is_text_of_one_line() -> None:
    question = make_question('What is "caf\udce9",\nand \x1b[31m?')
    assert question.text == b"open question \"What is 'caf/udce9', and /x1b[31m?\""
    assert question.name == "What is 'caf/udce9', and /x1b[31m?"
