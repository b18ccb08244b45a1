"""``git retcon review``: ask, plan again, write pins; and take a session back."""

import base64
import json
import sys
from pathlib import Path

from git_retcon.errors import Fatal, Reason, Refused, writing_nothing
from git_retcon.files.atomic import remove_unfinished
from git_retcon.files.json_file import save_json
from git_retcon.files.path_digest import digest_path
from git_retcon.git.repository import Repository, open_repository
from git_retcon.options import Output
from git_retcon.retcon.branch.hunk_cutter import UnusablePart
from git_retcon.retcon.branch.spec_lock import lock_spec
from git_retcon.retcon.planner.pages import Page
from git_retcon.retcon.rebuild.plan_view import Detail, PlanView
from git_retcon.retcon.review.replies import Accept, Key, Split, Unclear, View, read_answer
from git_retcon.retcon.review.screen import (
    HELP,
    commit_lines,
    moved_lines,
    page_lines,
    split_lines,
    whole_lines,
)
from git_retcon.retcon.review.session import Review
from git_retcon.retcon.spec.file import SpecFile
from git_retcon.show.counting import count
from git_retcon.show.envelope import Ending
from git_retcon.show.notices import say_hint, say_line
from git_retcon.show.style import count_columns, shell_word, style_of, write_line

# What a session ends with: written and run, written, or left.
RUN, WRITE, LEAVE = "w", "q", "Q"


def review(path: Path, output: Output) -> tuple[Ending, bool]:
    """Ask about a plan, and write the answers as pins. Also says whether the spec is to be run.

    Raises Refused without a terminal, since nobody could answer.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Refused(
            "a review needs a terminal",
            hint="programs correct a plan with 'git retcon -n --json' and '--plan'",
            reason=Reason.NEEDS_ANSWER,
            commands=[["git", "retcon", "-n", "--json", str(path)]],
        )
    repository = open_repository(Path.cwd())
    with lock_spec(repository, path) as specfile:
        # Here too, as a session that was killed at its end leaves nothing to write.
        remove_unfinished(_state_file(repository, specfile.path))
        with writing_nothing():
            session = Review(repository, specfile)
            key = _Conversation(session, specfile, output, repository).hold()
            pins = session.pins()
        if key != LEAVE and pins:
            specfile = _read_again(specfile)
            _keep_spec(repository, specfile)
            written = specfile.with_pins(pins)
            _keep_spec(repository, specfile, written)
    answered = len(session.answers)
    if key != LEAVE and pins:
        say_line(f"{count(answered, 'hunk')} pinned in {path}")
        if key != RUN:
            say_hint(
                f"'git retcon {shell_word(str(path))}' builds it; "
                "'git retcon review --undo' takes the pins back"
            )
    return Ending(data={"pinned": 0 if key == LEAVE else answered}), key == RUN


def _read_again(specfile: SpecFile) -> SpecFile:
    """The spec as it is now: it may have been edited during a long session.

    Raises Fatal unless its commits are those that were asked about, with their pins.
    """
    now = SpecFile.load(specfile.path)
    before, after = (
        [(commit.message, commit.hunks) for commit in each.spec.commits] for each in (specfile, now)
    )
    if before != after:
        raise Fatal(
            f"the commits of '{specfile.path}' were edited during the review",
            hint="nothing was written; review it again",
            reason=Reason.STALE_PLAN,
        )
    return now


class _Conversation:
    """Shows pages on a terminal and reads the answers, to the end of a session."""

    def __init__(
        self, session: Review, specfile: SpecFile, output: Output, repository: Repository
    ) -> None:
        self._session, self._specfile = session, specfile
        self._style = style_of(sys.stdout, output, repository.config.get)

    def hold(self) -> str:
        """Ask page after page. Returns the key that ended the session."""
        for line in commit_lines(self._specfile.spec, self._columns):
            write_line(sys.stdout, line)
        page = self._session.page
        while page is not None:
            write_line(sys.stdout, "")
            left = self._session.pages_left
            for line in page_lines(page, left, self._style, self._columns):
                write_line(sys.stdout, line)
            match self._ask_key(page):
                case Accept() as answer:
                    for line in moved_lines(self._session.answer(page, answer)):
                        write_line(sys.stdout, line)
                case Split() as split:
                    page = self._split_hunk(page, split)
                    continue
                case Key("n"):
                    self._session.skip(page)
                case Key("u"):
                    if not self._session.undo():
                        write_line(sys.stdout, "nothing to undo")
                case Key(letter):
                    return letter
            page = self._session.page
        return self._show_result()

    def _split_hunk(self, page: Page, split: Split) -> Page:
        """The page with a hunk of it split, where that can be done."""
        atom, line = page.questions[split.hunk].atom, split.line
        if line is None:
            borders = self._session.find_borders(atom)
            if not borders:
                write_line(sys.stdout, f"hunk {split.hunk + 1} is one statement")
                return page
            for shown in split_lines(atom, borders, self._style):
                write_line(sys.stdout, shown)
            answer = self._read_key("Behind which line? ").strip()
            if not answer.isdecimal():
                write_line(sys.stdout, "nothing is split: name one of the marked lines")
                return page
            line = int(answer)
        try:
            return self._session.split(page, atom, line)
        except UnusablePart as fault:
            write_line(sys.stdout, f"{fault}; {fault.hint}")
            return page

    @property
    def _columns(self) -> int:
        return count_columns(sys.stdout)

    def _ask_key(self, page: Page) -> Accept | Key | Split:
        """An answer that makes sense."""
        prompt, hunks = "Right? [Enter, 2 3, v s u n w q Q h] ", len(page.questions)
        while True:
            match read_answer(self._read_key(prompt), hunks, self._count):
                case Key("h"):
                    write_line(sys.stdout, HELP)
                case View(at):
                    for line in whole_lines(page.questions[at].atom, self._style):
                        write_line(sys.stdout, line)
                case Unclear(why):
                    write_line(sys.stdout, why)
                case answer:
                    return answer

    @property
    def _count(self) -> int:
        return len(self._specfile.spec.commits)

    def _show_result(self) -> str:
        """The plan that no question is left about, and what to do with it."""
        write_line(sys.stdout, "")
        view = PlanView(self._session.plan, self._style, Detail(), self._columns, asks=False)
        for line in view.lines():
            write_line(sys.stdout, line)
        write_line(sys.stdout, "No question is worth asking any more.")
        while True:
            key = self._read_key("Write and run (w), write (q), leave (Q), or undo (u)? ").strip()
            if key in (RUN, WRITE, LEAVE):
                return key
            if key == "u" and self._session.undo():
                return self.hold()
            write_line(sys.stdout, "type w, q, Q or u")

    def _read_key(self, prompt: str) -> str:
        """One line; the end of input (Ctrl-D) writes and leaves: answers are work."""
        sys.stdout.write(self._style.title(prompt))
        sys.stdout.flush()
        line = sys.stdin.readline()
        if not line:
            write_line(sys.stdout, "")  # the prompt is still open
        return line if line else WRITE


def undo_review(path: Path, output: Output) -> Ending:
    """Take the pins of the last session back. Raises Fatal where there are none to take back."""
    repository = open_repository(Path.cwd())
    with lock_spec(repository, path) as specfile:
        state = _state_file(repository, path)
        try:
            kept = json.loads(state.read_bytes())
        except FileNotFoundError as error:
            raise Fatal(
                f"no review of '{path}' to take back",
                hint="'git retcon review' makes one",
                reason=Reason.INVALID,
                commands=[["git", "retcon", "review", str(path)]],
            ) from error
        before = SpecFile.parse(path, base64.b64decode(kept["before"]))
        after = SpecFile.parse(path, base64.b64decode(kept["after"]))
        _refuse_edited(path, specfile, after)
        pins = {
            index: before.pins(index)
            for index, commit in enumerate(before.spec.commits)
            if commit.hunks != after.spec.commits[index].hunks
        }
        specfile.with_pins(pins)
        state.unlink()
    if not output.quiet:
        say_line(f"The pins of {path} are as before the review")
    return Ending()


def _refuse_edited(path: Path, now: SpecFile, after: SpecFile) -> None:
    """Raise Fatal unless the commits are those that the session left, by all but history."""
    if [each.digest for each in now.spec.commits[: len(after.spec.commits)]] != [
        each.digest for each in after.spec.commits
    ]:
        raise Fatal(
            f"'{path}' was edited since the review",
            hint="remove the pins by hand: they are the 'hunks' of each [[commit]]",
            reason=Reason.STALE_PLAN,
            again=None,
        )


def _keep_spec(repository: Repository, before: SpecFile, after: SpecFile | None = None) -> None:
    """Keep the spec as it was, for ``undo_review``."""
    path = _state_file(repository, before.path)
    remove_unfinished(path)
    contents = {"before": before.content, "after": (after or before).content}
    encoded = {name: base64.b64encode(content).decode() for name, content in contents.items()}
    save_json(path, {"version": 1, **encoded})


def _state_file(repository: Repository, path: Path) -> Path:
    return repository.common_dir / "retcon" / "reviews" / f"{digest_path(path)}.json"
