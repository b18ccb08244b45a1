"""What can be taken of an answer."""

from git_retcon.allium.requests.step_answer import apply_answer, find_fault, read_answer
from git_retcon.allium.store.spec_store import SpecStore
from git_retcon.model.messages import Json

HEAD = "-- allium: 3\n-- X.\n\n"
ORDER = HEAD + "entity Order {\n    total: Integer\n}\n"
STORE = SpecStore(modules={b"shop.allium": ORDER.encode(), b"other.allium": ORDER.encode()})


def has_file(path: bytes) -> bool:
    return path == b"src/order.py"


MASKED = "[masked secret ..GH]"
SHOWN = {b"shop.allium": ORDER.encode()}


def make(spec: str | None = None, **modules: str | None) -> Json:
    updates = [{"module": f"{name}.allium", "content": text} for name, text in modules.items()]
    return {"spec": spec, "moduleUpdates": updates, "removed": [], "changelog": " x\n y "}


def test_an_answer_is_read_and_applied() -> None:
    answer = read_answer(make(spec=HEAD, shop=None, new=ORDER.rstrip()), SpecStore(), ())
    assert answer.summary == "x y"
    after = apply_answer(STORE, answer)
    assert list(after.all_modules()) == [b"new.allium", b"other.allium"]
    assert after.module_spec(b"new.allium") == ORDER.encode()
    assert after.master_spec() == HEAD.rstrip().encode() + b"\n"


def test_a_module_that_was_not_shown_is_not_rewritten() -> None:
    fault = find_fault(make(other=ORDER), STORE, SHOWN, has_file)
    assert fault == "you did not see the module other.allium, so you may not rewrite it"


def test_a_declaration_may_move_to_another_module() -> None:
    moved = make(shop=HEAD + 'open question "Q"\n', orders=ORDER)
    assert find_fault(moved, STORE, SHOWN, has_file) is None
    lost = make(shop=HEAD + 'open question "Q"\n')
    fault = find_fault(lost, STORE, SHOWN, has_file)
    assert fault is not None
    assert "entity Order" in fault


def test_a_reason_says_something() -> None:
    def lose(reason: str) -> str | None:
        removed = [{"declaration": "entity Order", "reason": reason}]
        lost = {**make(shop=HEAD + 'open question "Q"\n'), "removed": removed}
        return find_fault(lost, STORE, SHOWN, has_file)

    assert "'removed' gives no reason" in (lose(" ") or "")
    assert lose("its class is gone") is None


def test_a_module_has_one_update() -> None:
    updates = [*make(new=ORDER)["moduleUpdates"], {"module": "spec/new.allium", "content": HEAD}]
    fault = find_fault({**make(), "moduleUpdates": updates}, STORE, SHOWN, has_file)
    assert fault == "new.allium has two updates: give one with all of its text"


def test_a_type_of_another_module_needs_its_alias() -> None:
    text = HEAD + 'use "./shop.allium" as shop\n\nentity Line {\n    order: shop/Order\n}\n'
    assert find_fault(make(lines=text), STORE, SHOWN, has_file) is None
    bare = HEAD + "entity Line {\n    order: Order\n}\n"
    assert "type 'Order'" in (find_fault(make(lines=bare), STORE, SHOWN, has_file) or "")


def test_two_spellings_of_a_module_are_refused() -> None:
    assert "one file on some file systems" in (
        find_fault(make(SHOP=ORDER), STORE, SHOWN, has_file) or ""
    )


def test_a_file_that_is_not_there_is_not_cited_anew() -> None:
    def cite(path: str) -> str:
        return ORDER.replace("entity", f"-- Source: {path}, Order\nentity")

    assert find_fault(make(shop=cite("src/order.py")), STORE, SHOWN, has_file) is None
    fault = find_fault(make(shop=cite("src/none.py")), STORE, SHOWN, has_file)
    assert fault == "shop.allium cites src/none.py, and the source has no such file"
    old = SpecStore(modules={b"shop.allium": cite("src/gone.py").encode()})
    kept = make(shop=cite("src/gone.py").replace("total", "sum"))
    assert find_fault(kept, old, old.all_modules(), has_file) is None


def test_the_mask_of_a_secret_is_no_text_of_a_specification() -> None:
    masked = ORDER + f"-- {MASKED}\n"
    fault = find_fault(make(shop=masked), STORE, SHOWN, has_file)
    assert fault == "shop.allium holds the mask of a secret"
    # What somebody wrote there may stay.
    old = SpecStore(modules={b"shop.allium": masked.encode()})
    assert find_fault(make(shop=masked), old, old.all_modules(), has_file) is None


SILENCER = "-- allium-ignore all"
BROKEN_BY_HAND = f"\nentity Line {{\n    {SILENCER}\n    order: Nowhere\n}}\n"


def test_a_model_silences_no_checker() -> None:
    text = HEAD + "entity Line {\n    -- allium-ignore all\n    n: Integer\n}\n"
    fault = find_fault(make(new=text), STORE, SHOWN, has_file)
    assert fault == "only people may silence the checker: leave '-- allium-ignore all' out"
    in_a_string = HEAD + 'open question "What of allium-ignore all?"\n'
    assert find_fault(make(new=in_a_string), STORE, SHOWN, has_file) is None


def test_what_people_silenced_stays_so_and_may_move() -> None:
    old = SpecStore(modules={b"shop.allium": (ORDER + BROKEN_BY_HAND).encode()})
    shown = old.all_modules()
    changed = ORDER.replace("total", "sum") + BROKEN_BY_HAND
    assert find_fault(make(shop=changed), old, shown, has_file) is None
    moved = make(shop=ORDER, lines=HEAD + BROKEN_BY_HAND)
    assert find_fault(moved, old, shown, has_file) is None
    twice = find_fault(make(shop=changed, lines=HEAD + BROKEN_BY_HAND), old, shown, has_file)
    assert twice == f"only people may silence the checker: leave '{SILENCER}' out"


def test_what_people_silenced_hides_no_new_error() -> None:
    old = SpecStore(modules={b"shop.allium": (ORDER + BROKEN_BY_HAND).encode()})
    other = make(shop=ORDER + BROKEN_BY_HAND.replace("Nowhere", "Anywhere"))
    assert "'Anywhere'" in (find_fault(other, old, old.all_modules(), has_file) or "")


def test_an_older_version_of_the_language_is_refused() -> None:
    fault = find_fault(make(new=ORDER.replace("3", "2", 1)), STORE, SHOWN, has_file)
    assert fault == "new.allium does not begin with '-- allium: 3'"


def test_a_line_that_uses_a_module_may_go_without_a_reason() -> None:
    using = HEAD + 'use "./other.allium" as other\n\nentity Order {\n    total: Integer\n}\n'
    store = SpecStore(modules={b"shop.allium": using.encode(), b"other.allium": ORDER.encode()})
    shown = {b"shop.allium": using.encode()}
    assert find_fault(make(shop=ORDER), store, shown, has_file) is None


def test_a_summary_is_one_bounded_line() -> None:
    long = {**make(), "changelog": "word\n" * 1000}
    summary = read_answer(long, STORE, ()).summary
    assert summary.startswith("word word")
    assert len(summary) <= 300
