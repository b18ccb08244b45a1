"""Which commands prove a commit."""

from git_retcon.run.commands import Commands


def test_a_build_comes_before_its_test() -> None:
    commands = Commands(setup="npm ci", build="make", test="make check")
    assert commands.steps == (("build", "make"), ("test", "make check"))
    assert commands.all == ("npm ci", "make", "make check")


def test_what_is_not_named_is_no_step() -> None:
    assert Commands(setup="npm ci", build="", test=None).steps == ()
    assert Commands(test="make check").steps == (("test", "make check"),)
    assert Commands().all == ()
