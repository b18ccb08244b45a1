"""What is wrong with the machine, the network or the packages, not with the code.

The messages of shells, package managers, docker and git; and of scripts that only pass on the
status of another command.
"""

from collections.abc import Iterator, Sequence

from git_retcon.code.diagnostics.diagnostic import (
    Category,
    Diagnostic,
    PlacedMessage,
    make_diagnostic,
    read_number,
)
from git_retcon.code.diagnostics.network_signs import HINTS as NETWORK_HINTS
from git_retcon.code.diagnostics.network_signs import SIGNS as NETWORK_SIGNS
from git_retcon.code.diagnostics.network_signs import Sign
from git_retcon.code.lazy_pattern import LazyPattern

HINTS = (
    *NETWORK_HINTS,
    "exited with code",
    "canceled",
    "not found",
    "No such file or directory",
    "Permission denied",
    "ERESOLVE",
    "daemon",
    "fatal: ",
    "You are running Node",
    'engine "node"',
    "issing script",
    "no such script",
    "ENOSPC",
    "No space left",
    "ENOMEM",
    "annot allocate memory",
    "out of memory",
    "Out of memory",
    "OOMKilled",
    "Authentication required",
    "Could not find a version",
    "No matching distribution",
    "ResolutionImpossible",
    "Unsupported engine",
    "Unable to locate package",
    "YN0",
    "'--user' install",
    "activated virtualenv",
    "ld: cannot find /",
    "no such command: `",
    "executable file not found",
    "no acceptable C compiler",
    "find a build program",
    "meson.build:",
    "No binary for ",
    "Executable doesn't exist",
)

_CODE = "Look at what the command printed above."
_INSTALL = "Install it, or put it on PATH."
_NODE = "Use the Node.js version that `engines` in package.json asks for."
_SCRIPT = "Add the script to package.json, or correct its name."
_MEMORY = "Give it more memory, or let it use less."
_DEPENDENCY = Category.DEPENDENCY
_SIGNS = (
    *NETWORK_SIGNS,
    Sign(
        "exited with code",
        r'^(?:error: script )?"[^"]+" exited with code (?P<code>\d+)$',
        "exit-",
        _CODE,
    ),
    Sign(
        "command not found",
        r"^(?:(?P<file>\S+\.(?:sh|bash)): line (?P<line>\d+): |(?:\S*/)?\S+: (?:line \d+: )?)"
        r"[^\s:]+: command not found$",
        "exit-127",
        _INSTALL,
    ),
    Sign(
        ": not found",
        r"^(?:(?P<file>\S+\.sh): (?P<line>\d+)|(?:\S*/)?(?:ba|da|z|k)?sh: (?:line )?\d+)"
        r": [^\s:]+: not found$",
        "exit-127",
        _INSTALL,
    ),
    Sign(
        "command not found",
        r"^zsh: command not found: \S+$",
        "exit-127",
        _INSTALL,
    ),
    Sign(
        "No such file or directory",
        r"^(?:(?P<file>\S+\.(?:sh|bash)): line (?P<line>\d+): |\S+: line \d+: )(?:\S*/)?"
        r"(?:node_modules/\.bin|\.?venv/bin|vendor/bin|usr/(?:local/)?s?bin)/[^\s:/]+"
        r": No such file or directory$",
        "exit-127",
        _INSTALL,
    ),
    # Programs that start another one, which they look for on PATH.
    Sign(
        "No such file or directory",
        r"^(?:(?:/usr/bin/)?(?:env|xargs|timeout|nice|nohup|stdbuf|time): "
        r"(?:failed to run command |cannot run )?[‘'\"]?[^\s:/\\‘’'\"]+[’'\"]?"
        r"|g?make(?:\[\d+\])?: [^\s:/]+): No such file or directory$",
        "exit-127",
        _INSTALL,
    ),
    Sign(
        ": type: ",
        r"^(?:\S*/)?\S+: line \d+: type: [^\s:]+: not found$",
        "exit-127",
        _INSTALL,
    ),
    Sign(
        "executable file not found",
        r'^(?:cgo: C compiler "[^"]+" not found: )?exec: "[^"/]+": executable file not found in '
        r"\$PATH$",
        "exit-127",
        _INSTALL,
    ),
    Sign(
        "no such command: `",
        r"^error: no such command: `[\w-]+`$",
        "cargo",
        _INSTALL,
    ),
    Sign(
        "no acceptable C compiler",
        r"^configure: error: no acceptable C compiler found in \$PATH$",
        "configure",
        _INSTALL,
    ),
    Sign(
        "find a build program",
        r"^CMake Error: CMake was unable to find a build program corresponding to .+$",
        "cmake",
        _INSTALL,
    ),
    Sign(
        "ERROR: ",
        r"^(?P<file>\S*meson\.build):(?P<line>\d+):\d+: ERROR: (?:Unknown compiler\(s\): .+"
        r"|Program '[\w+-]+' not found or not executable)$",
        "meson",
        _INSTALL,
    ),
    Sign(
        "No binary for ",
        r"^.{0,60}\bNo binary for \w+ browser on your platform\.$",
        "browser",
        _INSTALL,
    ),
    Sign(
        "Executable doesn't exist",
        r"^.{0,60}\bExecutable doesn't exist at \S+ms-playwright\S+$",
        "browser",
        _INSTALL,
    ),
    Sign(
        "Permission denied",
        r"^(?:\S*sh: (?:line )?(?:\d+: )?)?(?P<file>\.{0,2}/?[^\s:()]+): Permission denied"
        r"$",
        "exit-126",
        "Run chmod +x on the file.",
    ),
    Sign(
        "context canceled",
        r"^[Ee]rror: context canceled$",
        "",
        "It was cancelled, or took too long.",
        Category.METADATA,
    ),
    Sign(
        "The operation was canceled",
        r"^(?:##\[error\])?(?:Error: )?The operation was canceled\.$",
        "",
        "It was cancelled, or took too long.",
        Category.METADATA,
    ),
    Sign(
        "ERESOLVE",
        r"^npm (?:ERR!|error) code ERESOLVE$",
        "npm-ERESOLVE",
        "Two packages ask for versions that exclude each other.",
        _DEPENDENCY,
    ),
    Sign(
        "npm ",
        r"^npm (?:ERR!|error) code (?P<code>E[A-Z0-9]+)$",
        "npm-",
        "",
    ),
    Sign(
        "npm ",
        r"^npm (?:ERR!|error) (?P<code>40[13]) .+$",
        "npm-",
        "Check the token and the rights of its owner.",
    ),
    Sign(
        "issing script",
        r"^(?:npm (?:ERR!|error) |error )?[Mm]issing script: .+$",
        "missing-script",
        _SCRIPT,
    ),
    Sign(
        "no such script",
        r"^error: no such script: .+$",
        "missing-script",
        _SCRIPT,
    ),
    Sign(
        "Error response from daemon",
        r"^(?:docker: )?Error response from daemon: .+$",
        "docker-daemon",
        "Check that docker runs, and the name of the image.",
    ),
    Sign(
        "docker daemon",
        r"^(?:ERROR: |error )?.{0,60}annot connect to the [Dd]ocker daemon.*$",
        "docker-daemon",
        "Start docker.",
    ),
    Sign(
        "fatal: ",
        r"^fatal: (?:repository|Authentication|Could not read|not a git|unable to access"
        r"|[Uu]nable to|remote error|destination path|couldn't find remote ref"
        r"|detected dubious|bad object|ambiguous argument).*$",
        "git-fatal",
        "Check the repository, its remote and the credentials.",
    ),
    Sign(
        "You are running Node",
        r"^error .*You are running Node .+$",
        "node-version",
        _NODE,
    ),
    Sign(
        'engine "node"',
        r'^(?:error \S+: )?The engine "node" is incompatible with this module.*$',
        "node-engine-incompatible",
        _NODE,
    ),
    Sign(
        "Unsupported engine",
        r"^(?:npm (?:ERR!|error) .*|.*ERR_PNPM_UNSUPPORTED_ENGINE.*)Unsupported engine.*$",
        "node-engine-incompatible",
        _NODE,
    ),
    Sign(
        "ERR_PNPM",
        r"^\s*(?P<code>ERR_PNPM_(?!RECURSIVE_)\w+)\s+.+$",
        "",
        "Compare pnpm-lock.yaml with package.json.",
        _DEPENDENCY,
    ),
    Sign(
        "YN0",
        r"^➤ YN0(?:009|018|028|016|082): .+$",
        "yarn",
        "Compare yarn.lock with package.json.",
        _DEPENDENCY,
    ),
    Sign(
        "ENOSPC",
        r"^(?:Error: )?ENOSPC: no space left on device.*$",
        "enospc",
        "Free disk space.",
    ),
    Sign(
        "No space left",
        r"^.{0,200}No space left on device.*$",
        "enospc",
        "Free disk space.",
    ),
    Sign(
        "ENOMEM",
        r"^(?:Error: )?ENOMEM\b.*$",
        "enomem",
        _MEMORY,
    ),
    Sign(
        "annot allocate memory",
        r"^.{0,160}[Cc]annot allocate memory.*$",
        "enomem",
        _MEMORY,
    ),
    Sign(
        "out of memory",
        r"^(?:FATAL ERROR: .*JavaScript heap|.*[Kk]illed process \d+.*"
        r"|.*java\.lang\.OutOfMemoryError.*"
        r"|fatal error: (?:runtime: )?)\s?out of memory.*$",
        "enomem",
        _MEMORY,
    ),
    Sign(
        "Authentication required",
        r"^error: Authentication required.*$",
        "auth-required",
        "Give it valid credentials.",
    ),
    Sign(
        "Could not find a version",
        r"^ERROR: Could not find a version that satisfies the requirement .+$",
        "pip",
        "Correct the requirement, or the index.",
        _DEPENDENCY,
    ),
    Sign(
        "ResolutionImpossible",
        r"^ERROR: ResolutionImpossible.*$",
        "pip",
        "Two packages ask for versions that exclude each other.",
        _DEPENDENCY,
    ),
    # `git heal check` has pip refuse the user's own Python.
    Sign(
        "activated virtualenv",
        r"^ERROR: Could not find an activated virtualenv \(required\)\.$",
        "pip",
        "Set up Python in the job (actions/setup-python), or call pip in the workflow itself.",
    ),
    # On GitHub's machines pip installs into no virtual environment.
    Sign(
        "'--user' install",
        r"^ERROR: Can not perform a '--user' install\. User site-packages are not visible.*$",
        "pip",
        "Leave out --user, or run it where there is no virtual environment.",
    ),
    # A part of the compiler's own, as the runtime of a sanitizer, that is not installed.
    Sign(
        "ld: cannot find /",
        r"^(?:/\S*/)?(?:\S*-)?ld: cannot find /usr/lib\S*: No such file or directory$",
        "linker",
        _INSTALL,
    ),
    Sign(
        "Unable to locate package",
        r"^E: Unable to locate package \S+$",
        "apt",
        "Correct the name, or update the lists of packages.",
        _DEPENDENCY,
    ),
)


_MAKE = LazyPattern(r"^g?make(?:\[\d+\])?: [^*]")
_NOT_RUN = 40  # lines, where several commands run side by side


def _could_not_run(lines: Sequence[str], at: int) -> bool:
    """Whether what make does not find is a program: of a file that it should read it says the
    same.
    """
    return any(line.endswith("Error 127") for line in lines[at + 1 : at + _NOT_RUN])


def read_diagnostics(lines: Sequence[str]) -> Iterator[Diagnostic]:
    """What the machine and its services lack, in order."""
    for at, line in enumerate(lines):
        text = line.strip().removeprefix("##[error]")
        found = _read_line(text, at) if text else None
        if found is not None and (not _MAKE.match(text) or _could_not_run(lines, at)):
            yield found


def _read_line(text: str, at: int) -> Diagnostic | None:
    for sign in _SIGNS:
        if sign.needle not in text:
            continue
        if found := sign.pattern.match(text):
            groups = found.groupdict()
            rule = sign.rule + (groups.get("code") or "")
            located = PlacedMessage(
                groups.get("file"),
                read_number(groups.get("line")),
                text,
                category=sign.category,
                rule=rule,
                tool=rule.partition("-")[0] if rule.startswith(("npm-", "git-", "docker-")) else "",
                first=at,
            )
            return make_diagnostic(located)._replace(suggestion=sign.suggestion)
    return None
