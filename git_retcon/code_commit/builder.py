"""Run the build: confined, once the tree holds bytes that are not the user's."""

import contextlib
import os
import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from git_retcon.code_commit.masked_settings import find_credentials, mask_settings
from git_retcon.code_commit.seal import sealed_folder
from git_retcon.code_commit.watched_files import Spoiled, WatchedFiles, restore_watched, watch_files
from git_retcon.code_commit.working_tree import Checkout
from git_retcon.errors import Fatal
from git_retcon.files.atomic import remove_unfinished
from git_retcon.files.json_file import read_json, save_json
from git_retcon.files.path_digest import digest_path
from git_retcon.files.untrusted_paths import ForbiddenPath, clean_path
from git_retcon.lazy_dataclass import dataclass
from git_retcon.run.command_shell import Shell, confined_shell, open_shell
from git_retcon.run.commands import DEFAULT_TIMEOUT
from git_retcon.run.consent import Consent, Trial
from git_retcon.run.sandbox.confinement import Confinement, confine_to
from git_retcon.run.sandbox.fitness import require_start
from git_retcon.run.sandbox.level import Level, Sandbox
from git_retcon.run.sandbox.tree_secrets import find_secrets
from git_retcon.run.shell_command import Outcome, Sinks, run_command
from git_retcon.run.toolchain import fingerprint

SCRIPT = "build.sh"
_SHELLS = frozenset({"sh", "bash", "dash", "ksh", "zsh"})
NOTHING_SPOILED = Spoiled()
OnOutput = Callable[[bytes], None]


def _ignore_output(chunk: bytes) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Verdict:
    """How the build ended, and what it changed that is protected."""

    outcome: Outcome
    spoiled: Spoiled = NOTHING_SPOILED

    @property
    def passed(self) -> bool:
        """Exit status 0, and nothing protected touched."""
        return self.outcome.passed and not self.spoiled.paths

    @property
    def closing_lines(self) -> bytes:
        """The lines behind the output: how the build ended."""
        lines = [f"exit code: {self.outcome.status}"]
        if self.outcome.timed_out:
            lines.append(f"it was ended after {self.outcome.seconds:.0f} seconds (the limit)")
        for path in self.spoiled.paths:
            name = path.decode("utf-8", "backslashreplace")
            lines.append(f"the build changed '{name}', which is protected; it was put back")
        lines += self.spoiled.remarks
        return "".join(f"{line}\n" for line in lines).encode()

    @property
    def text(self) -> bytes:
        """Output and exit code, as they go into a prompt."""
        output = self.outcome.output
        return (
            output + (b"" if output.endswith(b"\n") or not output else b"\n") + self.closing_lines
        )


@dataclass(frozen=True)
class Builder:
    """Runs one build command at the top of the working tree. ``timeout`` is seconds.

    What is ``withheld`` is never sent, so that the build does not see it, unless it is ``read``:
    then it does not pass without, and the user agreed.
    """

    checkout: Checkout
    command: str
    sandbox: Sandbox
    timeout: float = DEFAULT_TIMEOUT
    withheld: tuple[Path, ...] = ()
    read: bool = False

    def run(self, on_output: OnOutput, *, trusted: bool = False) -> Verdict:
        """Build. ``trusted``: the tree holds only the user's own bytes, so no sandbox is needed."""
        if trusted:
            return Verdict(self._run_build(open_shell(), on_output))
        verdict = self._run_inside(on_output)
        # A failure proves nothing about the sandbox: the answer may be at fault.
        if verdict.outcome.passed and self.sandbox.level is not Level.NONE:
            self._remember_fitness()
        return verdict

    def _run_inside(self, on_output: OnOutput = _ignore_output) -> Verdict:
        with watch_files(self.checkout, build_files(self.command, self.checkout)) as watched:
            shell = confined_shell(self.sandbox, lambda env: self._make_confinement(env, watched))
            try:
                outcome = self._run_build(shell, on_output)
            finally:  # after an interrupt too: git may be run next
                spoiled = restore_watched(self.checkout, watched)
        if self.sandbox.level is not Level.NONE:
            require_start(outcome)
        return Verdict(outcome, spoiled)

    def with_consent(self, consent: Consent, on_trying: Callable[[], None]) -> "Builder":
        """This builder, or one without a sandbox where the user agrees to that.

        The build is tried on the tree as the user left it, after a call of ``on_trying``. One that
        has passed inside before is not tried again while its tools are the same.
        Raises Refused where the sandbox is weak, or the build fails inside, and the user does not
        agree.
        """
        consent.admit(self.sandbox)
        if self.sandbox.level is Level.NONE:
            return self
        agreed = self.recall_reading()
        if read_json(self._memory) == agreed._fitness:
            return agreed
        on_trying()
        inside = self.run(_ignore_output).outcome
        if self.withheld and not inside.passed:
            reading = replace(self, read=True)
            # Only whether it passes: what that run prints goes nowhere.
            if reading._run_inside().outcome.passed:
                consent.uncover(self.command, self._withheld_names)
                reading._remember_fitness()
                return reading
        trial = Trial(
            run_inside=lambda: inside,
            passes_outside=lambda: self.run(_ignore_output, trusted=True).passed,
            may_be_broken=True,
        )
        return replace(self, sandbox=consent.choose_sandbox(self.sandbox, trial))

    def recall_reading(self) -> "Builder":
        """This builder, with leave to read what is withheld where the user gave it before."""
        reading = replace(self, read=True)
        given = bool(self.withheld) and read_json(self._memory) == reading._fitness
        return reading if given else self

    @property
    def _memory(self) -> Path:
        # Not in '.git', where a build that is confined too little could write it.
        place = digest_path(self.checkout.repository.git_dir)
        return sealed_folder() / f"fitness-{place}.json"

    @property
    def _fitness(self) -> list[str]:
        tools = fingerprint((self.command,), os.environ)
        reads = self._withheld_names if self.read else []
        return [self.command, self.sandbox.record, tools, *reads]

    @property
    def _withheld_names(self) -> list[str]:
        return [str(path.relative_to(self.checkout.root)) for path in self.withheld]

    def _remember_fitness(self) -> None:
        remove_unfinished(self._memory)
        if read_json(self._memory) != self._fitness:
            save_json(self._memory, self._fitness)

    def _run_build(self, shell: Shell, on_output: OnOutput) -> Outcome:
        return run_command(
            self.command,
            cwd=self.checkout.root,
            env=shell.env,
            timeout=self.timeout,
            sinks=Sinks(on_output=on_output),
            prefix=shell.prefix,
        )

    def _own_state(self) -> Iterator[Path]:
        """What is believed, if it lies in the tree: all else is out of a build's reach anyway."""
        state = sealed_folder()
        if state.resolve().is_relative_to(self.checkout.root):
            state.mkdir(parents=True, exist_ok=True)
            yield state

    def _make_confinement(self, env: Mapping[str, str], watched: WatchedFiles) -> Confinement:
        repository = self.checkout.repository
        kept = [self.checkout.root / os.fsdecode(path) for path in watched.files]
        view = confine_to(
            self.checkout.root,
            env,
            protected=[
                *(repository.git_dir, repository.common_dir),
                *(*self._own_state(), *kept, *watched.executed),
            ],
            shown=[repository.git_dir, repository.common_dir],
            veiled=[
                self.checkout.config_folder,
                *find_secrets(self.checkout.root, self.checkout.git),
                *find_credentials(repository),
                *(() if self.read else self.withheld),
            ],
        )
        return replace(view, replaced=tuple(mask_settings(repository).items()))


def build_command(checkout: Checkout, wanted: str | None) -> str:
    """The command that builds: the one given, or ``build.sh`` at the top.

    Raises Fatal where there is neither.
    """
    if wanted:
        return wanted
    script = checkout.root / SCRIPT
    if not script.is_file():
        raise Fatal(
            f"there is no '{SCRIPT}' at the top of the working tree",
            hint="write one, or name a command with --build or 'git config codecommit.build'",
        )
    return f"./{SCRIPT}" if os.access(script, os.X_OK) else f"bash {SCRIPT}"


def build_files(command: str, checkout: Checkout) -> frozenset[bytes]:
    """The script of the tree that a build command runs. It is the judge: no answer may write it.

    We cannot know what the script itself runs; ``codecommit.protect`` names that.
    """
    try:
        words = shlex.split(command, comments=True)
    except ValueError:
        words = command.split()
    is_script = False
    if words and words[0].rpartition("/")[2] in _SHELLS:
        is_script = not any(word[:1] == "-" != word[1:2] and "c" in word for word in words)  # sh -c
        words = [word for word in words[1:] if not word.startswith("-")]
    for word in words[:1]:
        with contextlib.suppress(ForbiddenPath, OSError):
            path = clean_path(os.fsencode(word))
            # A script that is not there yet could be written by an answer; a program need not be.
            if is_script or "/" in word or checkout.files.read(path) is not None:
                return frozenset({path})
    return frozenset()
