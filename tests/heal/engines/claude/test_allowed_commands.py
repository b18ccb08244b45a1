"""What a model may run, and what gets past other lists of that kind."""

import pytest

from git_retcon.heal.engines.claude.allowed_commands import AllowedCommands, read_rules
from git_retcon.heal.engines.claude.command_words import BadCommand

STEPS = ["go vet ./...\npython3 -m pytest -q 'tests/a b'", "make lint && npm run test:unit"]
ALLOWED = AllowedCommands(STEPS, ["cargo check", "npm run ..."])


@pytest.mark.parametrize(
    ("command", "argv"),
    [
        ("cat src/a.py", ["cat", "src/a.py"]),
        ("head -20 a.py", ["head", "-20", "a.py"]),
        ("head -n5 a.py", ["head", "-n5", "a.py"]),
        ("ls -la src/", ["ls", "-la", "src/"]),
        ("grep -rn 'def f(' src", ["grep", "-rn", "def f(", "src"]),
        ('grep -n "a|b" a.py', ["grep", "-n", "a|b", "a.py"]),
        ("find . -name '*.py' -type f", ["find", ".", "-name", "*.py", "-type", "f"]),
        ("sed -n 10,20p a.py", ["sed", "-n", "10,20p", "a.py"]),
        ("wc -l a.py b.py", ["wc", "-l", "a.py", "b.py"]),
        ("git ls-files src", ["git", "ls-files", "src"]),
        ("rg -n total src", ["rg", "--no-config", "-n", "total", "src"]),
        ("go vet ./...", ["go", "vet", "./..."]),
        ("python3 -m pytest -q 'tests/a b'", ["python3", "-m", "pytest", "-q", "tests/a b"]),
        ("make lint", ["make", "lint"]),
        ("npm run test:unit", ["npm", "run", "test:unit"]),
        ("cargo check", ["cargo", "check"]),
        ("npm run anything --more", ["npm", "run", "anything", "--more"]),
        ("git show HEAD~2", ["git", "show", "--no-ext-diff", "--no-textconv",
                             "--no-show-signature", "--stat", "HEAD~2"]),
    ],
)  # fmt: skip
def test_what_reads_and_what_the_steps_run_is_allowed(command: str, argv: list[str]) -> None:
    assert ALLOWED.check(command) == argv


# Those that got past other agents' lists (Codex, Claude Code, and reports about both).
BYPASSES = [
    "find . -exec rm {} +", "find . -exec sh -c id ';'", "find . -execdir id ';'",
    "find . -ok id ';'", "find . -okdir id ';'", "find . -delete", "find . -fls out",
    "find . -fprint out", "find . -fprint0 out", "find . -fprintf out x", "find / -name x",
    "find .. -name x", "find . -newer a -delete", "find . -files0-from x",
    "git -c core.pager=id log", "git -ccore.pager=id log", "git --config-env=a=B log",
    "git --exec-path=. log", "git --paginate log", "git -p log", "git diff --output=x",
    "git diff --ext-diff", "git log --textconv", "git diff --no-index /etc/passwd a",
    "git grep -O x", "git branch -D main", "git push", "git checkout .", "git -C .. status",
    "git --git-dir=x status", "git ls-remote --upload-pack=id x", "git show HEAD:secret.txt",
    "git log --output=x", "git archive --exec=id", "git show --format=%x00 -p",
    "git blame --contents=/etc/passwd a", "git diff /etc/passwd a",
    "sed -n e a.py", "sed -n '1e id' a.py", "sed -i s/a/b/ a.py", "sed -n 's/a/b/e' a.py",
    "sed -n 'w out' a.py", "sed 10p a.py", "sed -n 1p -i a.py", "sed --expression=e a.py",
    "sed -n -f x a.py", "sed -n 1r/etc/passwd a.py",
    "rg --pre id x", "rg --pre=id x", "rg --hostname-bin=id x", "rg -z x", "rg --search-zip x",
    "rg -f /etc/passwd", "rg --ignore-file=x y", "rg x /etc",
    "env sh -c id", "env id", "env", "sh -c id", "bash -c id", "exec id", "eval id", "command id",
    "xargs id", "sudo id", "nohup id", "time id", "nice id", "timeout 5 id", "setsid id",
    "python3 -c 'import os'", "python3 -m http.server", "python3 x.py", "perl -e 1", "ruby -e 1",
    "node -e 1", "awk 'BEGIN{system(\"id\")}'", "make", "make -f x lint", "make lint SHELL=id",
    "go test -exec id ./...", "go vet -vettool=x ./...", "go vet ./... -vettool=x", "go run .",
    "pytest -p evil", "python3 -m pytest -q 'tests/a b' -p evil", "npm test", "npx x",
    "cargo check --config x", "cargo run", "pip install x", "eslint -c evil.js .",
    "prettier --plugin=x a", "mypy --config-file x", "tar --checkpoint-action=exec=id",
    "man --html=id x", "sort --compress-program=id a", "sort -o a a", "sort --output=a a",
    "sort -T /tmp a", "sort --files0-from=x", "uniq a b", "base64 -o x a", "wc --files0-from=x",
    "tee x", "dd if=a of=b", "cp a b", "mv a b", "rm a", "touch a", "chmod +x a", "ln -s / a",
    "curl http://x", "wget x", "nc x 1", "ssh x", "tail -f a", "tail --pid=1 a", "tail --retry a",
    "cat /etc/passwd", "cat ../secret", "cat ~/.ssh/id_rsa", "cat .git/config", "cat a/../../b",
    "cat src/.GIT/config", "cat -- /etc/passwd", "cat --help=x", "ls /", "head -n 5 /etc/shadow",
    "grep -f /etc/passwd a", "grep -r x /", "grep -e x /etc/passwd", "grep --include='*' -P x /",
    "diff a /etc/passwd", "file -f x", "file -m x a", "file -z a", "stat /etc/passwd",
    "cat a.py | sh", "cat a.py; id", "cat a.py && id", "cat a.py || id", "cat a.py & id",
    "cat < /etc/passwd", "cat a > b", "cat $(id)", "cat `id`", "cat ${HOME}", "cat $HOME",
    'cat "$(id)"', 'cat "`id`"', 'cat "$HOME"', "cat *.py", "cat a?", "cat [ab]", "cat {a,b}",
    "cat a\nid", "cat a\rid", "cat a\0b", "cat a\u2028id", "cat a\u202eb", "cat a\u200bb",
    "(id)", "{ id; }", "! id", "cat 'a", 'cat "a', "cat a\\",
    "LD_PRELOAD=x cat a", "PAGER=id git log", "GIT_PAGER=id git log", "NODE_OPTIONS=x make lint",
    "PYTHONSTARTUP=x python3 -m pytest -q 'tests/a b'", "GIT_EXTERNAL_DIFF=id git diff",
    "PATH=. cat a", "BASH_ENV=x make lint", "A=1", "./cat a", "/bin/cat a", "src/run.sh",
    "cat a # b", "", "   ", "x" * 5000,
]  # fmt: skip


@pytest.mark.parametrize("command", BYPASSES)
def test_what_gets_past_other_lists_is_refused_with_a_reason(command: str) -> None:
    with pytest.raises(BadCommand) as refusal:
        ALLOWED.check(command)
    assert len(str(refusal.value)) > 10


def test_a_refusal_says_what_is_allowed() -> None:
    with pytest.raises(BadCommand, match="'curl' is not allowed: only commands that read"):
        ALLOWED.check("curl x")
    with pytest.raises(BadCommand, match="no shell runs: quote it"):
        ALLOWED.check("find . -name *.py")


def test_every_rule_of_the_table_says_what_its_operands_are() -> None:
    kinds = {"paths", "pattern", "range", "revisions", "none"}
    assert {rule.operands for rule in read_rules()} <= kinds
    assert all(rule.flags.isdisjoint(rule.valued) for rule in read_rules())
