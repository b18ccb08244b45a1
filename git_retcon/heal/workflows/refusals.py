"""What is never run here, and why: commands that reach beyond the worktree."""

import functools
from collections.abc import Sequence

from git_retcon.code.lazy_pattern import LazyPattern
from git_retcon.heal.workflows.scripts import read_commands

_DEPTH = 5  # wrappers around one another; nobody writes more
# Programs that run the program named behind them; the words are left out, and options after them.
_WRAPPERS: tuple[tuple[str, ...], ...] = (
    ("bundle", "exec"), ("command",), ("env",), ("exec",), ("hatch", "run"), ("nice",), ("nohup",),
    ("npx",), ("pdm", "run"), ("pipenv", "run"), ("pnpm", "dlx"), ("pnpm", "exec"),
    ("poetry", "run"), ("python", "-m"), ("python3", "-m"), ("retry",), ("stdbuf",), ("timeout",),
    ("uv", "run"), ("uvx",), ("xargs",), ("yarn", "dlx"),
)  # fmt: skip

_CHANGES_SYSTEM = (
    "add", "autoremove", "build-dep", "dist-upgrade", "full-upgrade", "groupinstall", "in",
    "install", "purge", "refresh", "remove", "tap", "uninstall", "unlink", "up", "update",
    "upgrade",
)  # fmt: skip
_SYSTEM_MANAGERS = frozenset(
    {
        "apk", "apt", "apt-get", "aptitude", "brew", "choco", "dnf", "flatpak", "microdnf", "port",
        "scoop", "snap", "tdnf", "winget", "yum", "zypper",
    }
)  # fmt: skip
# These change the system with whichever arguments.
_ALWAYS_SYSTEM = frozenset({"add-apt-repository", "emerge", "pacman", "rpm", "xbps-install"})
# Tool managers, whose folders are the user's own: what would add to them or choose among them.
_TOOL_MANAGERS: dict[str, tuple[str, ...]] = {
    "asdf": ("global", "install", "plugin", "uninstall", "update"),
    "conda": ("create", "env", "install", "remove", "uninstall", "update", "upgrade"),
    "fnm": ("default", "install", "uninstall"),
    "ghcup": ("install", "rm", "set", "upgrade"),
    "mamba": ("create", "env", "install", "remove", "uninstall", "update", "upgrade"),
    "mise": ("install", "uninstall", "upgrade", "use"),
    "nvm": ("alias", "install", "uninstall"),
    "pyenv": ("global", "install", "uninstall"),
    "rbenv": ("global", "install", "uninstall"),
    "rustup": ("component", "default", "install", "override", "self", "set", "target",
               "toolchain", "uninstall", "update"),
    "sdk": ("default", "install", "uninstall", "upgrade"),
    "volta": ("install", "uninstall"),
}  # fmt: skip
_ROOT = frozenset({"doas", "su", "sudo"})
_CONTAINERS = frozenset(
    {"buildah", "docker", "docker-compose", "kind", "minikube", "nerdctl", "podman"}
)

# Programs whose every use is a deployment, an upload or a call with credentials.
_ALWAYS_PUBLISHES = frozenset(
    {
        "ansible-playbook", "aws", "az", "codecov", "coveralls", "fly", "flyctl", "ftp", "gcloud",
        "gh-pages", "gsutil", "heroku", "lftp", "scp", "semantic-release", "sftp", "ssh", "surge",
        "vercel", "wrangler",
    }
)  # fmt: skip
# The others, by how their arguments begin.
_PUBLISHING = (
    "bun publish", "cargo publish", "cargo release", "cargo yank", "cdk deploy",
    "changeset publish", "dotnet nuget push", "firebase deploy", "flit publish", "gem push",
    "goreleaser release", "hatch publish", "helm install", "helm push", "helm upgrade",
    "kubectl apply", "kubectl create", "kubectl delete", "kubectl rollout", "kubectl set",
    "lerna publish", "maturin publish", "maturin upload", "mike deploy", "mkdocs gh-deploy",
    "netlify deploy", "npm dist-tag", "npm publish", "npm unpublish", "nuget push",
    "pdm publish", "pnpm publish", "poetry publish", "pulumi destroy", "pulumi up",
    "sam deploy", "serverless deploy", "terraform apply", "terraform destroy", "twine upload",
    "uv publish", "yarn npm publish", "yarn publish",
)  # fmt: skip
# Build tools, whose goals may be anywhere among their arguments.
_PUBLISHING_GOALS = {"gradle": "publish", "gradlew": "publish", "mvn": "deploy", "mvnw": "deploy"}

# What a clone of its own has room for is not among them: a commit or a stash, and a branch or a tag
# at HEAD. Other commits and branches may not be here.
_MOVES_REFS = frozenset(
    {
        "am", "cherry-pick", "filter-branch", "merge", "notes", "pull", "push", "rebase", "replace",
        "revert", "symbolic-ref", "update-ref", "worktree",
    }
)  # fmt: skip
_HERE = frozenset({"HEAD", "@", "$GITHUB_SHA", "${GITHUB_SHA}"})
_MAKING = frozenset({"-b", "-B", "-c", "-C", "--create", "--force-create"})
_DELETING = frozenset({"-d", "-D", "--delete"})
# They change neither which branch or tag is meant, nor where it points.
_PLAIN = frozenset({"-f", "-q", "--detach", "--force", "--no-track", "--quiet"})
_REDIRECTION = LazyPattern(r"\d*(?:[<>]|>>)(?:$|(.+))")
# What a fetch may bring here is what git knows of the branches and tags of the remote.
_FETCHING = frozenset(
    {
        "-f", "-n", "-p", "-q", "-t", "-v", "--depth", "--force", "--no-progress",
        "--no-recurse-submodules", "--no-tags", "--progress", "--prune", "--quiet", "--tags",
        "--verbose",
    }
)  # fmt: skip
_GIT_OPTIONS_WITH_VALUE = frozenset({"-C", "-c", "--git-dir", "--work-tree", "--namespace"})
_ELSEWHERE = frozenset({"-C", "--git-dir", "--work-tree", "--namespace"})
_LISTS = frozenset({"-l", "--list", "--points-at", "--contains", "--merged", "--show-current"})


@functools.cache  # the same script is read when it is planned, and at each of its runs
def refuse_script(script: str) -> str:
    """Why a shell script is not run here; empty if it may be."""
    made: set[str] = set()
    reasons = (_refuse_command(words, made) for words in read_commands(script))
    return next((reason for reason in reasons if reason), "")


def calls_fetch(script: str) -> bool:
    """Whether a shell script has git fetch something."""
    return "fetch" in script and any(map(_is_fetch, read_commands(script)))


def drop_unshallow(script: str) -> str:
    """The script, in which git fetches no history: all of it is here, and git would complain."""
    if " --unshallow" not in script or "<<" in script:
        return script
    without = script.replace(" --unshallow", "")
    meant = [
        tuple(word for word in words if not (_is_fetch(words) and word == "--unshallow"))
        for words in read_commands(script)
    ]
    # What is only shown or handed on stays as it is.
    return without if list(read_commands(without)) == meant else script


def _is_fetch(words: Sequence[str]) -> bool:
    return words[0] == "git" and "fetch" in words


def _refuse_command(words: Sequence[str], made: set[str]) -> str:
    """Why a command is not run here; empty if it may be. ``made`` are the branches and tags that
    the commands before it made, and gets those that it makes.
    """
    for _ in range(_DEPTH):
        reason = _refuse_program(words[0].rpartition("/")[2], list(words[1:]), made)
        inner = _unwrap_command(words)
        if reason or not inner:
            return reason
        words = inner
    return ""


def _unwrap_command(words: Sequence[str]) -> Sequence[str]:
    """The command that a wrapper runs, if it is one."""
    for wrapper in _WRAPPERS:
        if tuple(words[: len(wrapper)]) == wrapper:
            start = len(wrapper)
            while start < len(words) and (
                # Options, variables of ``env`` and the seconds of ``timeout`` come before the
                # program.
                words[start].startswith("-") or "=" in words[start] or words[start][:1].isdigit()
            ):
                start += 1
            return words[start:]
    return ()


def _refuse_program(program: str, arguments: list[str], made: set[str]) -> str:
    shown = " ".join([program, *arguments[:2]])
    if program in _ROOT:
        return f"needs root ({program})"
    if program in _ALWAYS_SYSTEM or _changes_system(program, arguments):
        return f"changes the system's packages ({program})"
    if _changes_tools(program, arguments):
        return f"changes your own tools ({program} {arguments[0]})"
    if program == "git":
        return _refuse_git(arguments, made)
    if program in _CONTAINERS:
        return f"needs containers ({program})"
    if program == "gh":
        return f"talks to GitHub ({shown})"
    if program in _ALWAYS_PUBLISHES or _publishes_package(program, arguments):
        return f"publishes or deploys ({shown})"
    return ""


def _changes_system(program: str, arguments: list[str]) -> bool:
    plain = [argument for argument in arguments if not argument.startswith("-")]
    if program == "dpkg":
        return bool({"-i", "--install", "-r", "-P", "--add-architecture"} & set(arguments))
    return program in _SYSTEM_MANAGERS and bool(set(plain[:2]) & set(_CHANGES_SYSTEM))


def _changes_tools(program: str, arguments: list[str]) -> bool:
    """Whether a tool manager is to change what it manages; ``list`` only looks, and so does rustup
    where it gets no default.
    """
    if program == "rustup" and arguments == ["default"]:
        return False
    changes = arguments[:1] and arguments[0] in _TOOL_MANAGERS.get(program, ())
    return bool(changes) and "list" not in arguments[1:2]


def _publishes_package(program: str, arguments: list[str]) -> bool:
    """Whether the arguments begin so, options left out. Behind an option there may be its value."""
    goal = _PUBLISHING_GOALS.get(program)
    if goal is not None:
        return any(argument.startswith(goal) for argument in arguments)
    plain = [argument for argument in arguments if not argument.startswith("-")]
    options = len(arguments) - len(plain)
    starts = (" ".join([program, *plain[start:], ""]) for start in range(min(options, 2) + 1))
    begins = (start.startswith(f"{one} ") for start in starts for one in _PUBLISHING)
    # A dry run is what a person would run here too.
    return "--dry-run" not in arguments and any(begins)


def _refuse_git(arguments: list[str], made: set[str]) -> str:
    places: list[str] = []
    while arguments and arguments[0].startswith("-"):
        places.append(arguments[0].partition("=")[0])
        arguments = arguments[2 if arguments[0] in _GIT_OPTIONS_WITH_VALUE else 1 :]
    arguments = _drop_redirections(arguments)
    command, rest = (arguments[0], arguments[1:]) if arguments else ("", [])
    # Elsewhere there may be a repository of the user's.
    moves = _moves_refs(command, rest, None if _ELSEWHERE & set(places) else made)
    return f"moves refs (git {command})" if moves else ""


def _drop_redirections(arguments: list[str]) -> list[str]:
    kept: list[str] = []
    signs = [_REDIRECTION.match(argument) for argument in arguments]
    for before, sign, argument in zip([None, *signs], signs, arguments, strict=False):
        names_file = before is not None and not before[1]
        kept += [] if sign or names_file else [argument]
    return kept


def _moves_refs(command: str, arguments: list[str], made: set[str] | None) -> bool:
    """Whether a command moves what is not ours alone; ``made`` is None in another repository."""
    plain = [argument for argument in arguments if not argument.startswith("-")]
    match command:
        case "commit" | "stash":
            return made is None and arguments[:1] not in (["list"], ["show"])
        case "fetch":
            return made is None or not _fetches_known(arguments)
        case "checkout" | "switch":
            if not arguments or "--" in arguments or plain == ["."]:
                return False
            return made is None or not _is_here(arguments, made)
        case "reset":
            return "--" not in arguments and bool(set(plain) - {"HEAD", "."})
        case "branch" | "tag":
            lists = any(argument.partition("=")[0] in _LISTS for argument in arguments)
            changes = {"-m", "-M", "--move"} | (_DELETING if command == "tag" else set())
            if not lists and plain and not changes & set(arguments):
                return made is None or not _makes_here(command, arguments, made)
            return bool(changes & set(arguments))
        case "worktree" | "notes":
            return plain[:1] not in (["list"], ["show"], [])
        case "symbolic-ref":
            return len(plain) > 1
    return command in _MOVES_REFS


def _fetches_known(arguments: list[str]) -> bool:
    options = {argument.partition("=")[0] for argument in arguments if argument.startswith("-")}
    plain = [argument for argument in arguments if not argument.startswith("-")]
    if "--depth" in arguments:
        plain = [argument for argument in plain if not argument.isdecimal()]
    is_ref = (":" not in ref.partition(":")[2] and "pull/" not in ref for ref in plain[1:])
    return options <= _FETCHING and plain[:1] in ([], ["origin"]) and all(is_ref)


def _is_here(arguments: list[str], made: set[str]) -> bool:
    """Whether a checkout goes to a commit or a branch that is sure to be here."""
    options = {argument for argument in arguments if argument.startswith("-")}
    plain = [argument for argument in arguments if argument not in options]
    if options & _MAKING:
        is_new = options - _MAKING <= _PLAIN and bool(plain) and _starts_here(plain)
        made.update(plain[:1] if is_new else ())
        return is_new
    return options <= _PLAIN and set(plain) <= _HERE | made


def _makes_here(command: str, arguments: list[str], made: set[str]) -> bool:
    """Whether a branch or a tag is made of the commit that is checked out, or a branch deleted: one
    that is not here is not on GitHub either. It is for tags that are here and may not be there.
    """
    options = {argument for argument in arguments if argument.startswith("-")}
    plain = [argument for argument in arguments if argument not in options]
    if command == "branch" and options & _DELETING:
        return options <= _DELETING | _PLAIN
    is_new = options <= _PLAIN and _starts_here(plain)
    if command == "tag":
        is_new = is_new and bool(options & {"-f", "--force"})
    made.update(plain[:1] if is_new else ())
    return is_new


def _starts_here(plain: list[str]) -> bool:
    return len(plain) < 3 and set(plain[1:]) <= _HERE
