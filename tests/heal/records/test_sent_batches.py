"""Which request of a batch is about which step."""

from git_retcon.heal.records.sent_batches import BatchedRequest, Subject, make_request

LINT = Subject(b"ci.yml", "lint", "check", b"src/a.py", "0123456789abcdef")


def test_a_request_is_about_one_step_of_those_that_have_its_name() -> None:
    request = make_request("heal-0011223344556677-1a2b3c-0000", LINT, "claude-haiku-5-5")
    # The service takes names of 64 characters.
    assert request.name == "heal-0011223344556677-1a2b3c-0000-0123456789abcdef"
    assert request.is_about(LINT)
    assert not request.is_about(LINT._replace(digest="fedcba9876543210"))


def test_a_request_of_an_earlier_version_is_found_by_names() -> None:
    request = BatchedRequest("heal-0011223344556677-1a2b3c-0000", *LINT[:4], "claude-haiku-5-5")
    assert request.is_about(LINT)
    assert not request.is_about(LINT._replace(path=None))
    assert not request.is_about(LINT._replace(job="test"))
