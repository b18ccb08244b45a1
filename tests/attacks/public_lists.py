"""Two public lists of ways out, row by row, each as an attack of our own.

The commands that Codex's table of safe commands must not let through (``is_safe_command.rs``):
there, an allow-list of commands decides; here any command may run, and the sandbox decides, so a
row is an attack if its command gets at something outside. And the tests of deny paths and of the
integration of Anthropic's sandbox-runtime (``mandatory-deny-paths.test.ts``,
``integration.test.ts`` at d35b813). What cannot be asked of us is listed with the reason.
"""

from collections.abc import Iterator

from tests.attacks.attacks import (
    GIT_GAP,
    SOCKETS_GAP,
    Attack,
    Honest,
    changed,
    claims,
    exists,
    goes_on,
    heard,
    in_git,
)

_OUTSIDE = changed("outside/file", "untouched\n")
_MADE = exists("outside/made")


def _shell(command: str) -> str:
    return f"import os\nos.system({command!r})"


def _codex() -> Iterator[Attack]:
    for option, command in {
        "find -exec": "find {OUTSIDE}/file -exec rm {{}} ';'",
        "find -execdir": "find {OUTSIDE}/file -execdir sh -c 'echo x >{OUTSIDE}/file' ';'",
        "find -ok": "yes | find {OUTSIDE}/file -ok rm {{}} ';'",
        "find -okdir": "yes | find {OUTSIDE}/file -okdir rm {{}} ';'",
        "find -delete": "find {OUTSIDE} -delete -name file",
        "find -fls": "find . -fls {OUTSIDE}/file",
        "find -fprint": "find . -fprint {OUTSIDE}/file",
        "find -fprint0": "find . -fprint0 {OUTSIDE}/file",
        "find -fprintf": "find . -fprintf {OUTSIDE}/file '%p'",
        "sed w": "echo x | sed -n 'w {OUTSIDE}/file'",
        "sed -i": "sed -i s/u/x/ {OUTSIDE}/file",
        "sed e": "echo 'rm {OUTSIDE}/file' | sed -n e",
        "sed s///e": "echo x | sed 's:.*:rm {OUTSIDE}/file:e'",
        "a redirection": "ls >{OUTSIDE}/file",
        "a sequence": "ls && rm -rf {OUTSIDE}/file",
        "a subshell": "(rm {OUTSIDE}/file)",
        "a subshell in a sequence": "false || (pwd && rm {OUTSIDE}/file)",
        "a pipe": "ls | tee {OUTSIDE}/file",
        "env sh -c": "env sh -c 'rm {OUTSIDE}/file'",
        "xargs": "echo {OUTSIDE}/file | xargs rm",
        "awk system()": "awk 'BEGIN {{ system(\"rm {OUTSIDE}/file\") }}'",
        "sort --compress-program": (
            "printf 'rm {OUTSIDE}/file\\n' >z; chmod +x z; "
            "seq 200000 | sort -S 10K --compress-program=./z >/dev/null"
        ),
        "tar --checkpoint-action": (
            "tar cf /dev/null --checkpoint=1 --checkpoint-action=exec='rm {OUTSIDE}/file' ."
        ),
        "LD_PRELOAD of a script's own": "echo 'rm {OUTSIDE}/file' >p; ENV=./p sh -ic true",
        "git -c core.pager": (
            # Only a terminal gets a pager.
            "env -u GIT_PAGER script -qc "
            "\"git -p -c core.pager='rm {OUTSIDE}/file; cat' log\" /dev/null"
        ),
        "git --config-env": (
            "E='!rm {OUTSIDE}/file' git --config-env=alias.x=E x"
        ),
        "git -c alias": "git -c alias.x='!rm {OUTSIDE}/file' x",
        "git --output": "git diff --output={OUTSIDE}/file --no-index build.sh .gitignore",
        "git --ext-diff": (
            "git -c diff.external='rm {OUTSIDE}/file #' "
            "diff --ext-diff --no-index .gitignore build.sh"
        ),
        "git --textconv": (
            "echo '* diff=x' >.gitattributes; "
            "git -c diff.x.textconv='rm {OUTSIDE}/file #' "
            "diff --textconv --no-index .gitignore build.sh"
        ),
        "git --exec-path": (
            "mkdir e; printf '#!/bin/sh\\nrm {OUTSIDE}/file\\n' >e/git-x; chmod +x e/git-x; "
            "git --exec-path=e x"
        ),
        "git fetch": (
            "git -c protocol.ext.allow=always fetch 'ext::sh -c rm% {OUTSIDE}/file'"
        ),
        "rg --pre": (
            "printf '#!/bin/sh\\nrm {OUTSIDE}/file\\n' >z; chmod +x z; rg --pre ./z x build.sh"
        ),
        "rg --search-zip": (
            "mkdir e; printf '#!/bin/sh\\nrm {OUTSIDE}/file\\n' >e/gzip; chmod +x e/gzip; "
            "echo true >a.gz; PATH={TREE}/e:$PATH rg --search-zip true a.gz"
        ),
        "git ls-remote --upload-pack": "git ls-remote --upload-pack='rm {OUTSIDE}/file #' ./ x",
        "a build script of cargo": (
            "mkdir -p c/src; echo 'fn main() {{}}' >c/src/main.rs; "
            "printf '[package]\\nname = \"c\"\\nversion = \"0.1.0\"\\n' >c/Cargo.toml; "
            "echo 'fn main() {{ let _ = std::fs::remove_file(\"{OUTSIDE}/file\"); }}' >c/build.rs; "
            "cd c && cargo check --offline -q"
        ),
    }.items():  # fmt: skip
        yield Attack(f"codex: {option}", _shell(command), _OUTSIDE)
    for option, command in {
        "git branch": "git branch evil && test -e {TREE}/.git/refs/heads/evil && echo ESCAPED",
        "git config": "git config core.pager evil",
        "git -c core.hooksPath commit": "echo x >.git/hooks/post-commit",
    }.items():
        judge = claims if option == "git branch" else in_git
        yield Attack(f"codex: {option}", _shell(command), judge, GIT_GAP)


_STARTED = (
    ".bashrc", ".bash_profile", ".zshrc", ".zprofile", ".profile", ".gitconfig", ".gitmodules",
    ".ripgreprc", ".mcp.json",
)  # fmt: skip


def _deny_paths() -> Iterator[Attack]:
    for name in _STARTED:
        write = f"open('{name}', 'w').write('evil')"
        yield Attack(f"deny paths: {name}", write, exists(f"project/{name}"))
    for folder in (".vscode", ".idea", ".claude/commands", ".claude/agents"):
        write = f"import os; os.makedirs('{folder}'); open('{folder}/x', 'w').write('evil')"
        yield Attack(f"deny paths: {folder}/", write, exists(f"project/{folder}/x"))
    for name in ("config", "hooks/pre-commit"):
        write = f"import os\nos.makedirs('.git/hooks', exist_ok=True)\nopen('.git/{name}', 'a')"
        write += ".write('[core]\\n\\tpager = evil\\n')"
        judge = in_git if name == "config" else exists(f"project/.git/{name}")
        yield Attack(f"deny paths: .git/{name}", write, judge, GIT_GAP)


_ORPHAN = (
    "import subprocess, sys, time\n"
    "subprocess.Popen([sys.executable, '-S', '-c', 'import time\\nwhile True:\\n"
    ' open("loot-beat", "a").write("x")\\n time.sleep(0.02)\'])\n'
)


def _integration() -> Iterator[Attack]:
    tcp = heard(b"tcp")
    yield Attack(
        "integration: a UNIX socket",
        "import os, socket; os.chdir('{OUTSIDE}'); socket.socket(socket.AF_UNIX).connect('socket')",
        heard(b"named"),
        SOCKETS_GAP,
    )
    for name, command in {
        "HTTP with curl": "curl -s -m 2 --noproxy '*' http://127.0.0.1:{TCP}/",
        "HTTPS with curl": "curl -s -k -m 2 --noproxy '*' https://127.0.0.1:{TCP}/",
        "wget": "wget -q -T 2 -t 1 --no-proxy -O - http://127.0.0.1:{TCP}/",
        "another port by bash": "bash -c 'echo x >/dev/tcp/127.0.0.1/{TCP}'",
        "another protocol by git": "git ls-remote git://127.0.0.1:{TCP}/x",
        "SSH": "ssh -o BatchMode=yes -p {TCP} 127.0.0.1 true",
    }.items():
        yield Attack(f"integration: {name}", _shell(command), tcp)
    lookup = (
        "import socket\ns = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n"
        "s.sendto(b'\\x12\\x34\\x01\\0\\0\\1' + bytes(6) + b'\\1a\\0\\0\\1\\0\\1', "
        "('127.0.0.1', {UDP}))"
    )
    yield Attack("integration: a DNS look-up", lookup, heard(b"udp"))
    yield Attack(
        "integration: write outside", _shell("echo x >{OUTSIDE}/file"), _OUTSIDE
    )  # fmt: skip
    see = "import os\nif os.path.exists('/proc/{VICTIM}/environ') and open("
    see += "'/proc/{VICTIM}/environ', 'rb').read() is not None: print('ESCAPED')"
    yield Attack("integration: see a process outside", see, claims, "other processes")
    links = {
        "a link to a file": "ln -s {OUTSIDE}/file l; echo x >l",
        "a link to a folder": "ln -s {OUTSIDE} d; echo x >d/file",
        "a chain of links": "ln -s {OUTSIDE} one; ln -s one two; echo x >two/file",
        "a link up": "ln -s ../outside up; echo x >up/file",
    }
    for name, command in links.items():
        yield Attack(f"integration: {name}", _shell(command), _OUTSIDE)
    yield Attack("integration: a process in the background", _ORPHAN + "time.sleep(0.2)", goes_on)
    killed = _ORPHAN + "time.sleep(0.2)\nimport os; os.kill(os.getpid(), 15)"
    yield Attack("integration: a child of a command that is terminated", killed, goes_on)
    privileges = {
        "setuid": "cp /bin/sh {OUTSIDE}/made && chmod u+s {OUTSIDE}/made",
        "chown": "cp build.sh {OUTSIDE}/made && chown 0:0 {OUTSIDE}/made",
        "sudo and su": "sudo -n cp build.sh {OUTSIDE}/made || su -c 'cp build.sh {OUTSIDE}/made'",
    }
    for name, command in privileges.items():
        yield Attack(f"integration: {name}", _shell(command), _MADE)
    for name, command in {
        "a named pipe": "mkfifo {OUTSIDE}/made",
        "a device": "mknod {OUTSIDE}/made b 7 0",
        "a hard link": "ln {OUTSIDE}/file {OUTSIDE}/made",
    }.items():
        yield Attack(f"integration: {name} outside", _shell(command), _MADE)
    device = (
        "import os\nos.mknod('loot-device', 0o60600, os.stat('{OUTSIDE}').st_dev)\n"
        "if open('loot-device', 'rb').read(1): print('ESCAPED')"
    )
    name = "integration: the disk through a device of the tree"
    yield Attack(name, device, claims, is_safe_unconfined=False)


PUBLIC_ATTACKS = tuple(
    attack for group in (_codex, _deny_paths, _integration) for attack in group()
)

_SAY = "import os; os.system({!r})"
PUBLIC_HONEST = (
    Honest("deny paths: a regular file", "open('f', 'w').write('x'); print('WORKS')", True),
    Honest("integration: a named pipe", _SAY.format("mkfifo p && echo WORKS"), True),
    Honest(
        "deny paths: .claude/ beside commands and agents",
        "import os; os.mkdir('.claude'); open('.claude/x', 'w').close(); print('WORKS')",
        True,
    ),
    Honest("integration: a basic command", _SAY.format("echo WORKS"), True),
    Honest("integration: pipelines", _SAY.format("printf 'a\nWORKS\n' | sort | grep W"), True),
    Honest("integration: reading /etc", _SAY.format("test -r /etc/passwd && echo WORKS"), True),
    Honest("integration: zsh", _SAY.format("zsh -fc 'print -r WORKS' || echo WORKS: none"), True),
    Honest("integration: files without a network", _SAY.format("echo WORKS >f; cat f"), True),
)  # fmt: skip

_DOMAINS = "there is no list of allowed domains: no network at all"
_GIT_FOLDER = "all of '.git' is read-only; where it cannot be, refs, index and objects stay free"
NOT_APPLICABLE = {
    "codex: base64 -o, --output, -oX": "GNU's base64 has no such option; 'sed w' does the same",
    "codex: rg --hostname-bin": "of ripgrep 14; it runs a program, as --pre does",
    "codex: bash -lc with words behind it, quoted 'git status'": "no command is parsed",
    "codex: git status, diff, log, show, branch --show-current": "reading; nothing is approved",
    "codex: cat, cd, cut, … are safe": "nothing is approved by its name",
    "codex: PowerShell": "Linux and macOS only",
    "deny paths: .git/objects, .git/refs/heads, .git/index stay writable": _GIT_FOLDER,
    "deny paths: allowGitConfig": "there is no such option",
    "deny paths: patterns for macOS": "that sandbox is not used",
    "integration: HTTP to allowed domains, wildcards of domains": _DOMAINS,
    "integration: an empty and an undefined list of domains": _DOMAINS,
    "integration: reads from anywhere": "departs: homes and secrets are hidden",
    "integration: seccomp alone": "it is no level here: Landlock goes with it",
    "integration: which shell runs a command": "always sh, as for the user",
    "integration: no orphans after a time-out": "held by 'a daemon' and tests/run_/test_orphans.py",
}
