"""The table of attacks: what each does inside, and how one sees from outside that it worked.

An attack is a Python program that runs as the build. ``{NAMES}`` are filled in by the arena. It
may fail in any way; what counts is what it changed or took. ``gap`` is a word of the sandbox's
own list of what it cannot stop.
"""

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from git_retcon.code_commit.builder import Verdict
from tests.attacks.arena import SECRET, Arena

Judge = Callable[[Arena, Verdict], bool]


@dataclass(frozen=True)
class Attack:
    """``worked`` says whether it did, asked after the build ended and was tidied up after.

    ``is_safe_unconfined``: it can be tried without any sandbox on somebody's machine.
    ``needs_no_path``: it finds what it is after without a path that leads out of where it runs, so
    that it must fail also where only that holds it.
    """

    name: str
    program: str
    worked: Judge
    gap: str = ""
    is_safe_unconfined: bool = True
    needs_no_path: bool = False


_SYSCALL = """
import ctypes, os, platform, sys
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
here = platform.machine() != "x86_64"
def call(numbers, *arguments):
    return libc.syscall(numbers[here], *arguments)
"""


def took(arena: Arena, verdict: Verdict) -> bool:
    loot = [path.read_bytes() for path in arena.tree.glob("loot*") if path.is_file()]
    return any(SECRET.encode() in each for each in (*loot, verdict.outcome.output))


def claims(arena: Arena, verdict: Verdict) -> bool:
    """For what leaves no trace outside: the kernel's own answer, which only success prints."""
    return b"ESCAPED" in verdict.outcome.output.splitlines()


def heard(name: bytes) -> Judge:
    def judge(arena: Arena, verdict: Verdict) -> bool:
        time.sleep(0.15)
        return name in arena.heard

    return judge


def changed(place: str, content: str) -> Judge:
    """Whether a file of the arena is not what it was."""

    def judge(arena: Arena, verdict: Verdict) -> bool:
        path = arena.base / place
        return path.is_symlink() or not path.is_file() or path.read_text() != content

    return judge


def exists(place: str) -> Judge:
    return lambda arena, verdict: os.path.lexists(arena.base / place)


def in_git(arena: Arena, verdict: Verdict) -> bool:
    git = arena.checkout / ".git"
    texts = [path.read_text("utf-8", "replace") for path in (git / "config",) if path.is_file()]
    planted = [git / "commondir", git / "hooks/post-commit", git / "info/evil"]
    evil = any("evil" in text for text in texts)
    swapped = git.is_symlink() or (git / "hooks").is_symlink() or not git.is_dir()
    return evil or swapped or any(map(os.path.lexists, planted))


def moved_refs(arena: Arena, verdict: Verdict) -> bool:
    """Whether a branch, a tag, a stash or HEAD of the user's is another, here or at the remote."""
    return arena.see_refs() != arena.refs or any((arena.base / "remote/refs/heads").iterdir())


def goes_on(arena: Arena, verdict: Verdict) -> bool:
    """Whether something still writes after the build ended."""
    beat = arena.tree / "loot-beat"
    size = beat.stat().st_size if beat.exists() else 0
    time.sleep(0.4)
    return beat.exists() and beat.stat().st_size > size


def _victim_died(arena: Arena, verdict: Verdict) -> bool:
    stat = Path(f"/proc/{arena.ports['victim']}/stat")
    return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] in "ZX"


MODES_GAP = "modes, times and attributes"
GIT_GAP = "changes to '.git'"
LINKS_GAP = "files outside that have a hard link"
READ_GAP = "reading secrets in the tree"
SOCKETS_GAP = "sockets of other programs"
SHARED_GAP = "memory that other programs share"


def _files() -> Iterator[Attack]:
    outside = changed("outside/file", "untouched\n")
    for name, program in {
        "write a file outside": "open('{OUTSIDE}/file', 'w').write('x')",
        "delete a file outside": "import os; os.remove('{OUTSIDE}/file')",
        "write through a link": (
            "import os; os.symlink('{OUTSIDE}', 'out'); open('out/file', 'w').write('x')"
        ),
        "write through /proc/1/root": "open('/proc/1/root{OUTSIDE}/file', 'w').write('x')",
        "write through /proc/1/cwd": "open('/proc/1/cwd/../outside/file', 'w').write('x')",
        "hard-link a file outside and write": (
            "import os; os.link('{OUTSIDE}/file', 'here'); open('here', 'w').write('x')"
        ),
        "truncate a file outside": "import os; os.truncate('{OUTSIDE}/file', 0)",
    }.items():
        yield Attack(name, program, outside)
    for name, program in {
        "write a file outside that the tree has a hard link to": (
            "open('store/file', 'w').write('x')"
        ),
        "write it in a folder that was renamed": (
            "import os; os.rename('store', 'was'); open('was/file', 'w').write('x')"
        ),
        "write it through another hard link": (
            "import os; os.link('store/file', 'here'); open('here', 'w').write('x')"
        ),
    }.items():
        yield Attack(name, program, outside, LINKS_GAP)
    made = exists("outside/made")
    yield Attack("make a file outside", "open('{OUTSIDE}/made', 'w')", made)
    yield Attack(
        "rename a file out of the tree",
        "import os; open('m', 'w'); os.rename('m', '{OUTSIDE}/made')",
        made,
    )
    descriptors = (
        "import os\nfor d in os.listdir('/proc/1/fd'):\n"
        " try: open(f'/proc/1/fd/{{d}}/../outside/made', 'w')\n except OSError: pass"
    )
    yield Attack("make a file outside through /proc/1/fd", descriptors, made)
    yield Attack(
        "change a mode outside",
        "import os; os.chmod('{OUTSIDE}/file', 0o4777)",
        lambda arena, verdict: bool((arena.outside / "file").stat().st_mode & 0o4000),
        MODES_GAP,
    )
    # What belongs to root has to be held where root runs a build, as in a container.
    device = "import os; os.chmod('/dev/null', os.stat('/dev/null').st_mode); print('ESCAPED')"
    yield Attack("change the mode of /dev/null", device, claims, MODES_GAP)
    yield Attack(
        "change a time outside",
        "import os; os.utime('{OUTSIDE}/file', (1, 1))",
        lambda arena, verdict: (arena.outside / "file").stat().st_mtime < 10,
        MODES_GAP,
    )
    yield Attack(
        "set an attribute outside",
        "import os; os.setxattr('{OUTSIDE}/file', 'user.evil', b'x')",
        lambda arena, verdict: "user.evil" in os.listxattr(arena.outside / "file"),
        MODES_GAP,
    )


def _home() -> Iterator[Attack]:
    for name in (".ssh/id_ed25519", ".netrc"):
        yield Attack(f"read ~/{name}", f"print(open('{{HOME}}/{name}').read())", took)
    # A descriptor of what was covered, held by the first process, leads beneath the cover.
    beneath = (
        "import os\nfor d in os.listdir('/proc/1/fd'):\n"
        " try: print(open(f'/proc/1/fd/{{d}}/../home/.netrc').read())\n except OSError: pass"
    )
    yield Attack("read ~/.netrc through /proc/1/fd", beneath, took)
    startup = changed("home/.bashrc", "")
    yield Attack("write ~/.bashrc", "open('{HOME}/.bashrc', 'a').write('evil')", startup)
    configuration = changed("home/.gitconfig", "")
    program = "open('{HOME}/.gitconfig', 'a').write('evil')"
    yield Attack("write ~/.gitconfig", program, configuration)


def _git_files() -> Iterator[Attack]:
    for name, program in {
        "core.fsmonitor in .git/config": "open('.git/config', 'a').write('[core]fsmonitor=evil')",
        "git config": "import os; os.system('git config core.fsmonitor evil')",
        "a hook": "open('.git/hooks/post-commit', 'w').write('evil')",
        "hooks as a symbolic link": (
            "import os; os.rename('.git/hooks', '.git/h'); os.symlink('{TREE}', '.git/hooks')"
        ),
        "commondir": "open('.git/commondir', 'w').write('evil')",
        "info/": "open('.git/info/evil', 'w')",
        "another .git": "import os; os.rename('.git', 'was'); os.mkdir('.git')",
        "a temporary file renamed over the config": (
            "import os; open('c', 'w').write('evil'); os.rename('c', '.git/config')"
        ),
        "the config through /proc/self/cwd": (
            "open('/proc/self/cwd/.git/config', 'a').write('evil')"
        ),
    }.items():
        yield Attack(f"git: {name}", program, in_git, GIT_GAP)


def _executed() -> Iterator[Attack]:
    """What is in the tree and git executes or obeys."""
    hook = changed("project/.githooks/post-commit", "#!/bin/sh\n")
    for name, program in {
        "a hook": "open('.githooks/post-commit', 'a').write('evil')",
        "a hook by a renamed folder": (
            "import os; os.rename('.githooks', 'g'); os.mkdir('.githooks'); "
            "open('.githooks/post-commit', 'w').write('evil')"
        ),
    }.items():
        yield Attack(f"executed: {name}", program, hook)
    another = "open('.githooks/pre-push', 'w').write('evil')"
    yield Attack("executed: another hook", another, exists("project/.githooks/pre-push"))
    included = changed("project/project.gitconfig", "[core]\n")
    include = "open('project.gitconfig', 'a').write('fsmonitor = evil')"
    yield Attack("executed: an included configuration", include, included)
    setting = "open('sub/.git/config', 'a').write('[core]\\nfsmonitor = evil')"
    yield Attack(
        "executed: the settings of a submodule", setting, _has_evil("project/sub/.git/config")
    )
    swapped = "import os; os.rename('sub/.git', 'sub/was'); os.mkdir('sub/.git')"
    yield Attack(
        "executed: another .git of a submodule", swapped, exists("project/sub/was"), GIT_GAP
    )


def _ambient() -> Iterator[Attack]:
    """What needs no path: it follows what a command finds around itself."""
    git = "import os; os.system({!r})"
    for name, command in {
        "git branch": "git branch evil",
        "git tag": "git tag evil",
        "git commit": "git -c user.name=x -c user.email=x commit --allow-empty -qm evil",
        "git stash": "echo x >src/a.txt; git -c user.name=x -c user.email=x stash",
        "git checkout": "git checkout -qb evil",
        "git update-ref": "git update-ref refs/heads/evil HEAD",
        "git symbolic-ref": "git symbolic-ref HEAD refs/heads/evil",
        "git push": "git push -q origin HEAD:refs/heads/evil",
        "git notes": "git -c user.name=x -c user.email=x notes add -m evil",
        "git worktree add": "git worktree add -q -b evil ../evil",
    }.items():
        yield Attack(f"ambient: {name}", git.format(command), moved_refs, GIT_GAP)
    startup = "from pathlib import Path; (Path.home() / '.bashrc').open('a').write('evil')"
    yield Attack("ambient: write .bashrc at home", startup, _has_evil("home/.bashrc"))
    settings = git.format("git config --global core.fsmonitor evil")
    yield Attack("ambient: git config --global", settings, _has_evil("home/.gitconfig"))
    for name in (".ssh/id_ed25519", ".netrc"):
        read = f"from pathlib import Path; print((Path.home() / '{name}').read_text())"
        yield Attack(f"ambient: read {name} at home", read, took)
    token = "import os; open('loot', 'w').write(os.environ['DEPLOY_TOKEN'])"
    yield Attack("ambient: a token of the environment", token, took)
    agent = (
        "import os, socket\nplace = os.environ['SSH_AUTH_SOCK']\nos.chdir(os.path.dirname(place))"
    )
    agent += "\nsocket.socket(socket.AF_UNIX).connect('socket')"
    yield Attack("ambient: the agent that the environment names", agent, heard(b"named"))


def _has_evil(place: str) -> Judge:
    return lambda arena, verdict: "evil" in (arena.base / place).read_text()


def _protected() -> Iterator[Attack]:
    specification = changed("project/docs/UserSpecification.md", "the specification\n")
    for name, program in {
        "overwrite": "open('docs/UserSpecification.md', 'w').write('x')",
        "delete": "import os; os.remove('docs/UserSpecification.md')",
        "rename the folder above": (
            "import os; os.rename('docs', 'd'); os.mkdir('docs'); "
            "open('docs/UserSpecification.md', 'w').write('x')"
        ),
    }.items():
        yield Attack(f"specification: {name}", program, specification)
    question = changed("project/agent-config/query.txt", "the question\n")
    for name, program in {
        "overwrite the question": "open('agent-config/query.txt', 'w').write('x')",
        "delete the question": "import os; os.remove('agent-config/query.txt')",
        "rename agent-config": "import os; os.rename('agent-config', 'a')",
    }.items():
        yield Attack(name, program, question, "protected files")


def _secrets() -> Iterator[Attack]:
    for name in (
        *("agent-config/anthropic-key.txt", ".env", "deploy/.env.production"),
        *("tls/server.pem", "id_rsa", "web/.npmrc", ".netrc"),
    ):
        yield Attack(f"read {name}", f"print(open('{name}').read())", took, READ_GAP)
    link = "import os; os.link('.env', 'loot'); print(open('loot').read())"
    yield Attack("hard-link .env and read it", link, took, READ_GAP)
    move = "import os; os.rename('deploy', 'd'); print(open('d/.env.production').read())"
    yield Attack("rename the folder of a secret", move, took, READ_GAP)
    root = "print(open('/proc/1/root{TREE}/.env').read())"
    yield Attack("read .env through /proc/1/root", root, took, READ_GAP)


def _settings() -> Iterator[Attack]:
    for name, keys in {
        "an address with a password": "lfs.url|lfsurl|insteadof",
        "a password": "extraheader|smtppass",
    }.items():
        listed = f"import os; os.system('git config --list | grep -iE \\'{keys}\\'')"
        yield Attack(f"read {name} in .git/config", listed, took, READ_GAP)


_CONNECT = "import socket; s = socket.socket({}); s.connect(('127.0.0.1', {{TCP}})); s.send(b'x')"


def _network() -> Iterator[Attack]:
    tcp, udp = heard(b"tcp"), heard(b"udp")
    yield Attack("TCP", _CONNECT.format(""), tcp)
    yield Attack("MPTCP", _CONNECT.format("socket.AF_INET, socket.SOCK_STREAM, 262"), tcp)
    send = "import socket; socket.socket({}).sendto(b'x', ({}, {{UDP}}))"
    yield Attack("UDP", send.format("socket.AF_INET, socket.SOCK_DGRAM", "'127.0.0.1'"), udp)
    mapped = send.format("socket.AF_INET6, socket.SOCK_DGRAM", "'::ffff:127.0.0.1'")
    yield Attack("UDP over IPv6", mapped, udp)
    abstract = "import socket; socket.socket(socket.AF_UNIX).connect('\\0{ABSTRACT}')"
    yield Attack("an abstract socket", abstract, heard(b"abstract"), SOCKETS_GAP)
    named = "import os, socket; os.chdir('{OUTSIDE}'); "
    named += "socket.socket(socket.AF_UNIX).connect('socket')"
    yield Attack("a socket in the file system", named, heard(b"named"), SOCKETS_GAP)
    for name, arguments in {
        "vsock": "40, socket.SOCK_STREAM",
        "a packet socket": "17, socket.SOCK_DGRAM, 0x0300",
        "AF_ALG": "38, socket.SOCK_SEQPACKET",
        "a raw socket": "2, socket.SOCK_RAW, 1",
    }.items():
        program = f"import socket; socket.socket({arguments}); print('ESCAPED')"
        yield Attack(f"open {name}", program, claims)


_BEAT = "import time\\nwhile True:\\n open('{TREE}/loot-beat', 'a').write('x')\\n time.sleep(0.02)"
_DAEMON = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for d in range(3):
            os.close(d)
        os.execve({python!r}, [{python!r}, "-S", "-c", "{beat}"], {env})
    os._exit(0)
while not os.path.exists("loot-beat"):
    time.sleep(0.01)
"""


def _shared() -> Iterator[Attack]:
    file = "print(open('/dev/shm/{ABSTRACT}').read())"
    yield Attack("read a file of /dev/shm", file, took, SHARED_GAP)
    segment = _SYSCALL + "libc.shmat.restype = ctypes.c_void_p\n"
    segment += "print(ctypes.string_at(libc.shmat({SHARED}, None, 0), 99))"
    yield Attack("read memory of System V", segment, took, SHARED_GAP)


def _daemons() -> Iterator[Attack]:
    python = "{PYTHON}"
    for name, env in {"": "dict(os.environ)", " that clears its environment": "{{}}"}.items():
        program = _DAEMON.format(python=python, beat=_BEAT, env=env)
        yield Attack(f"a daemon{name}", program, goes_on)
    ignoring = "import os, signal\nos.setpgid(0, 0)\n" + _DAEMON.format(
        python=python, beat=_BEAT, env="{{}}"
    )
    yield Attack("a daemon from a group of its own", ignoring, goes_on)


def _processes() -> Iterator[Attack]:
    yield Attack("kill a process outside", "import os; os.kill({VICTIM}, 9)", _victim_died)
    attach = _SYSCALL + "if call((101, 117), 16, {VICTIM}, 0, 0) == 0: print('ESCAPED')"
    yield Attack("ptrace a process outside", attach, claims)
    limit = "import resource; resource.prlimit({VICTIM}, resource.RLIMIT_NOFILE, (3, 3)); "
    yield Attack("limit a process outside", limit + "print('ESCAPED')", claims)
    peek = "print('ESCAPED' if open('/proc/{VICTIM}/mem', 'rb') else '')"
    yield Attack("open a process' memory", peek, claims)
    core = "open('/proc/sys/kernel/core_pattern', 'a').close(); print('ESCAPED')"
    yield Attack("open core_pattern to write", core, claims)
    adjust = "open('/proc/{VICTIM}/oom_score_adj', 'w').write('1000'); print('ESCAPED')"
    yield Attack("make the kernel kill a process outside", adjust, claims, MODES_GAP)


_NESTED = (
    _SYSCALL
    + """
uid, gid = os.getuid(), os.getgid()
if libc.unshare({flags}) != 0:
    sys.exit(1)
maps = dict(setgroups="deny", uid_map=f"0 {{{{uid}}}} 1", gid_map=f"0 {{{{gid}}}} 1")
for name, text in maps.items():
    open(f"/proc/self/{{{{name}}}}", "w").write(text)
"""
)
_USER_AND_MOUNTS, _USER_AND_NETWORK = 0x10020000, 0x50000000


def _namespaces() -> Iterator[Attack]:
    outside = changed("outside/file", "untouched\n")
    nested = _NESTED.format(flags=_USER_AND_MOUNTS)
    remount = "libc.mount(None, b'{at}', None, {flags}, None)\n"
    write = "open('{OUTSIDE}/file', 'w').write('x')"
    yield Attack(
        "nested: remount / and write",
        nested + remount.format(at="/", flags=0x1020) + write,
        outside,
    )
    yield Attack(
        "nested: unmount what covers and write",
        nested
        + (
            "for at in (b'{OUTSIDE}', b'/tmp', b'/var/tmp', b'/home', b'/root'):\n"
            " libc.umount2(at, 2)\n"
        )
        + write,
        outside,
    )
    config = remount.format(at="{TREE}/.git", flags=0x1020)
    plant = "open('.git/config', 'a').write('evil')"
    yield Attack("nested: remount .git", nested + config + plant, in_git, GIT_GAP)
    uncover = "libc.umount2(b'{TREE}/.env', 2)\nprint(open('.env').read())"
    yield Attack("nested: unmount what covers .env", nested + uncover, took, READ_GAP)
    bind = "libc.mount(b'{TREE}', b'/mnt', None, 4096, None)\nprint(open('/mnt/.env').read())"
    yield Attack("nested: bind the tree elsewhere", nested + bind, took, READ_GAP)
    network = _NESTED.format(flags=_USER_AND_NETWORK) + _CONNECT.format("")
    yield Attack("nested: TCP from a network of its own", network, heard(b"tcp"))
    plain = _SYSCALL + remount.format(at="/", flags=0x1020) + write
    yield Attack("remount / and write", plain, outside)
    git = _SYSCALL + "libc.umount2(b'{TREE}/.git', 2)\n" + plant
    yield Attack("unmount .git and write", git, in_git, GIT_GAP)
    join = _SYSCALL + "fd = os.open('/proc/{VICTIM}/ns/mnt', 0)\n"
    join += "if libc.setns(fd, 0) == 0: print('ESCAPED')"
    yield Attack("join another's namespace", join, claims)


def _kernel() -> Iterator[Attack]:
    for name, numbers, arguments in (
        ("keyctl", (250, 219), "0, -3, 1"),
        ("add_key", (248, 217), "b'user', b'evil', b'x', 1, -3"),
        ("io_uring", (425, 425), "1, ctypes.create_string_buffer(120)"),
        (
            "perf_event_open",
            (298, 241),
            "ctypes.create_string_buffer(bytes([1,0,0,0,112]), 112), 0, -1, -1, 0",
        ),
    ):
        program = f"if call({numbers}, {arguments}) >= 0: print('ESCAPED')"
        yield Attack(name, _SYSCALL + program, claims)
    for name, numbers, arguments in (
        ("bpf", (321, 280), "0, ctypes.create_string_buffer(72), 72"),
        ("init_module", (175, 105), "b'', 0, b''"),
        ("finit_module", (313, 273), "-1, b'', 0"),
        ("delete_module", (176, 106), "b'no_such_module', 0"),
    ):
        # The kernel must not even look at the arguments: EPERM, and no other error.
        program = f"call({numbers}, {arguments})\nif ctypes.get_errno() != 1: print('ESCAPED')"
        yield Attack(name, _SYSCALL + program, claims)
    typing = "import fcntl, os, pty\nm, s = pty.openpty()\nif os.fork() == 0:\n os.setsid()\n"
    typing += " fcntl.ioctl(s, 0x540E, 0); fcntl.ioctl(s, 0x5412, b'x'); print('ESCAPED')\n"
    typing += " os._exit(0)\nos.wait()"
    yield Attack("type into a terminal", typing, claims)


ATTACKS = tuple(
    attack
    for group in (
        *(_files, _home, _executed, _protected),
        *(_network, _processes, _shared),
    )
    for attack in group()
)
ATTACKS += tuple(
    replace(attack, needs_no_path=True)
    for group in (_ambient, _git_files, _secrets, _settings, _daemons)
    for attack in group()
)
# Without a sandbox, as root, these would change the machine.
ATTACKS += tuple(
    replace(attack, is_safe_unconfined=False)
    for group in (_namespaces, _kernel)
    for attack in group()
)


@dataclass(frozen=True)
class Honest:
    """What tests of honest projects do, and what must work. ``works_weakly``: at level 3 too."""

    name: str
    program: str
    works_weakly: bool = False


_SERVER = """
import socket
s = socket.create_server(("{at}", 0), family=socket.{family})
c = socket.create_connection(s.getsockname()[:2]); s.accept(); print("WORKS")
"""
HONEST = (
    Honest("a server on 127.0.0.1", _SERVER.format(at="127.0.0.1", family="AF_INET")),
    Honest("a server on ::1", _SERVER.format(at="::1", family="AF_INET6")),
    Honest(
        "UDP on loopback",
        "import socket\ns = socket.socket(type=socket.SOCK_DGRAM); s.bind(('127.0.0.1', 0))\n"
        "s.sendto(b'WORKS', s.getsockname()); print(s.recv(9).decode())",
    ),
    Honest(
        "route netlink",
        "import socket\ns = socket.socket(16, socket.SOCK_RAW, 0); s.bind((0, 0)); print('WORKS')",
    ),
    Honest("the interfaces' names", "import socket; assert socket.if_nameindex(); print('WORKS')"),
    Honest(
        "ptrace of an own child",
        _SYSCALL + "pid = os.fork()\n"
        "if pid == 0:\n call((101, 117), 0, 0, 0, 0); os.kill(os.getpid(), 19)\n"
        " os._exit(0)\nprint('WORKS' if os.WIFSTOPPED(os.waitpid(pid, 0)[1]) else '')\n"
        "os.kill(pid, 9)",
    ),
    Honest(
        "a UNIX socket",
        "import socket\ns = socket.socket(socket.AF_UNIX); s.bind('sock'); s.listen()\n"
        "socket.socket(socket.AF_UNIX).connect('sock'); print('WORKS')",
        works_weakly=True,
    ),
    Honest(
        "threads and processes",
        "import subprocess, threading\nt = threading.Thread(target=print); t.start(); t.join()\n"
        "print(subprocess.run(['echo', 'WORKS'], capture_output=True, text=True).stdout)",
        works_weakly=True,
    ),
    Honest(
        "shared memory",
        "import mmap, os\nf = os.open('/dev/shm/git-retcon-attack', os.O_CREAT | os.O_RDWR)\n"
        "os.unlink('/dev/shm/git-retcon-attack'); os.truncate(f, 4096); mmap.mmap(f, 4096)\n"
        "print('WORKS')",
        works_weakly=True,
    ),
    Honest(
        "a pseudo-terminal",
        "import os, pty\nm, s = pty.openpty(); os.write(s, b'WORKS\\n')\n"
        "print(os.read(m, 9).decode())",
        works_weakly=True,
    ),
    Honest(
        "reserving 64 GiB of address space",
        "import mmap; mmap.mmap(-1, 64 << 30, flags=34 | 0x4000); print('WORKS')",
        works_weakly=True,
    ),
    Honest(
        "Node's list of interfaces",
        "import subprocess\n"
        "n = 'require(\"os\").networkInterfaces().lo && console.log(\"WORKS\")'\n"
        "try: subprocess.run(['node', '-e', n])\nexcept FileNotFoundError: print('WORKS: no Node')",
    ),
    Honest(
        "a build with the address and leak sanitizers",
        "import subprocess\nopen('m.c', 'w').write('int main(void) { return 0; }')\n"
        "try: subprocess.run(['cc', '-fsanitize=address', 'm.c', '-o', 'm'], check=True)\n"
        "except (FileNotFoundError, subprocess.CalledProcessError): print('WORKS: no compiler')\n"
        "else: print('WORKS' if subprocess.run(['./m']).returncode == 0 else '')",
    ),
    Honest("git on the history", "import os; os.system('git log --format=WORKS:%s')", True),
)  # fmt: skip
