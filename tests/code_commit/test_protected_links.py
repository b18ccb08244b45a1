"""The places that protected names lead to are known as paths of the tree."""

from git_retcon.code_commit.protected_links import find_link_targets
from tests.code_commit.project import checkout_of
from tests.repository import TestRepository


def test_links_of_every_form_and_only_what_is_in_the_tree(project: TestRepository) -> None:
    project.write({"ci/re\nal.sh": "true\n", "suite/test.py": "1\n", "plain.sh": "true\n"})
    top = project.path
    (top / "relative.sh").symlink_to("ci/re\nal.sh")
    (top / "absolute.sh").symlink_to(top / "relative.sh")
    (top / "tests").symlink_to("suite")
    (top / "all").symlink_to(".")
    (top / "outside.sh").symlink_to("/bin/sh")
    (top / "dangling.sh").symlink_to("ci/later.sh")

    def find(*names: bytes) -> set[bytes]:
        return set(find_link_targets(checkout_of(project), names))

    assert find(b"relative.sh") == find(b"absolute.sh") == {b"ci/re\nal.sh"}
    assert find(b"tests") == {b"suite"}
    assert find(b"tests/test.py", b"all/suite/test.py") == {b"suite/test.py"}
    # An answer that makes it would make what the name stands for.
    assert find(b"dangling.sh") == {b"ci/later.sh"}
    assert find(b"plain.sh", b"outside.sh", b"all", b"missing") == set()
