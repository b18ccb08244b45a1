"""Scripts that ask apt for packages."""

import pytest

from git_retcon.heal.workflows.apt_scripts import AptScript, read_apt


@pytest.mark.parametrize(
    ("script", "wanted"),
    [
        ("sudo apt-get update", AptScript((), "")),
        ("sudo apt-get update -qq && sudo apt-get install -y --no-install-recommends g++ clang-14",
         AptScript(("g++", "clang-14"), "")),
        ("sudo apt-get update ; sudo apt install libc6:i386 jq\n# done\n",
         AptScript(("libc6:i386", "jq"), "")),
        ("sudo apt -y install \\\n  lmodern \\\n  libxml2.9\n",
         AptScript(("lmodern", "libxml2.9"), "")),
        ("sudo -E DEBIAN_FRONTEND=noninteractive apt-get install -yq tk8.6-dev",
         AptScript(("tk8.6-dev",), "")),
        ("if true; then\n  sudo apt-get install jq\nfi\nmake",
         AptScript(("jq",), "if true; then\n:\nfi\nmake")),
        ("sudo apt-get update\nsudo apt-get install jq\npip install .\n",
         AptScript(("jq",), ":\n:\npip install .\n")),
        ("sudo apt-get install jq\n# no end \\\nmake\n",
         AptScript(("jq",), ":\n# no end \\\nmake\n")),
    ],
)  # fmt: skip
def test_packages_are_read_and_their_lines_left_out(script: str, wanted: AptScript) -> None:
    assert read_apt(script) == wanted


@pytest.mark.parametrize(
    "script",
    [
        "make",
        "apt-get install jq",  # fails without root, on GitHub too
        "sudo apt-get install $PACKAGES",
        "sudo apt-get install …",
        "sudo apt-get install jq || true",
        "sudo apt-get install jq > log",
        "sudo apt-get install jq & make",
        "sudo apt-get install ./my.deb",
        "sudo apt-get install 'lib.*-dev'",
        "sudo apt-get install jq/testing",
        "sudo apt-get install jq-",
        "sudo apt-get install jq=1.6-2",  # on GitHub this may be no version that there is
        "sudo apt-get install -t testing jq",
        "sudo apt-get install --allow-downgrades jq",
        "sudo apt-get install --allow-change-held-packages jq",
        "sudo apt-get -o Acquire::Retries=3 install jq",
        "sudo add-apt-repository -y ppa:deadsnakes/ppa",
        "sudo add-apt-repository ppa:a/b && sudo apt-get install jq",
        "sudo apt-get -y upgrade",
        "sudo apt-get remove jq",
        "sudo apt-get build-dep jq",
        "sudo apt-get install jq && make",
        "if sudo apt-get install jq; then make; fi",
        "case $x in\n  a) sudo apt-get install jq ;;\nesac",
        "cat <<END > later.sh\nsudo apt-get install jq\nEND",
        "cat <<\\END > later.sh\nsudo apt-get install jq\nEND",
        "cat <<'END-1' > later.sh\nsudo apt-get install jq\nEND-1",
        "echo '\nsudo apt-get install jq\n'",
        'bash -c "\nsudo apt-get install jq\n"',
    ],
)
def test_what_does_more_or_is_not_understood_is_left_alone(script: str) -> None:
    assert read_apt(script) is None
