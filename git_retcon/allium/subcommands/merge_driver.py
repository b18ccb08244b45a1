"""``git allium install-drivers`` and ``merge-file``: how git merges and diffs specifications."""

import os
import shutil
import sys
from pathlib import Path

from git_retcon.allium.store.merged_file import Markers, MergedFile, merge_files
from git_retcon.errors import Fatal, Reason
from git_retcon.files.atomic import save
from git_retcon.git.current_config import CurrentConfig
from git_retcon.git.process import run_git
from git_retcon.git.repository import Repository, open_repository
from git_retcon.options import Output
from git_retcon.show.counting import all_of, count
from git_retcon.show.envelope import DONE, FAILED, Ending, Failure
from git_retcon.show.notices import say_line
from git_retcon.show.style import shell_word, write_line

_KINDS = (
    "external entity", "entity", "value", "enum", "variant", "rule", "surface", "actor", "contract",
    "invariant", "config", "given", "default", "deferred",
)  # fmt: skip
# git takes any failure for a conflict and leaves our side in the file. So a failure of the program
# is told from a conflict by the markers, and git merges by lines instead; not by ``git allium``,
# which fails with 1, too, where there is no such program.
_DRIVER = """\
{path}if command -v git-allium >/dev/null; then
    git-allium merge-file -q --marker-size=%L %A %O %B; status=$?
else
    status=127; echo "git-allium is not here; merged by lines:" %P >&2
fi
case $status in 0) exit 0 ;; 1) grep -qE '^>{{%L}} theirs' %A && exit 1 ;; esac
exec git merge-file -q --marker-size=%L -L ours -L base -L theirs %A %O %B"""
# Patterns are POSIX extended regular expressions, as git takes them (gitattributes(5)).
_SETTINGS = {
    "merge.allium.name": "Allium specifications, by declaration",
    "diff.allium.xfuncname": f"^(({'|'.join(_KINDS)})[ {{].*)$",
    "diff.allium.wordRegex": r'[A-Za-z_][A-Za-z0-9_]*|[0-9._]+|"[^"]*"|[-=!<>?]+|[^[:space:]]',
}
_LINE = "*.allium merge=allium diff=allium"
_BEGIN = (
    "# made by 'git allium install-drivers'; with --uninstall it removes this and the next line"
)


def install_drivers(output: Output) -> Ending:
    """Set the drivers in the configuration of this repository, and name them in its attributes."""
    repository = open_repository(Path.cwd())
    for key, value in {**_SETTINGS, "merge.allium.driver": _make_driver()}.items():
        repository.git.run("config", "--local", key, value)
    path = _find_attributes(repository)
    lines = _read_others(path)
    _write_lines(path, [*lines, _BEGIN, _LINE])
    text = "git merges *.allium by declaration from here on, and diffs them by declarations"
    return _end_command(text, path, output, installed=True)


def _make_driver() -> str:
    """The shell command of the driver, as git takes it (gitattributes(5))."""
    program = shutil.which("git-allium")
    # Last on the path: a graphical client may start git without the user's own PATH.
    folder = shell_word(str(Path(program).resolve().parent)) if program else ""
    return _DRIVER.format(path=f"PATH=$PATH:{folder.replace('%', '%%')}; " if folder else "")


def uninstall_drivers(output: Output) -> Ending:
    """Take the drivers out again. What was not there is no fault."""
    repository = open_repository(Path.cwd())
    for section in ("merge.allium", "diff.allium"):
        repository.git.try_run("config", "--local", "--remove-section", section)
    path = _find_attributes(repository)
    if path.exists():
        _write_lines(path, _read_others(path))
    return _end_command("git merges *.allium by lines again", path, output, installed=False)


def merge_named_files(
    current: str, base: str, other: str, marker_size: int, output: Output
) -> Ending:
    """Merge three files as git-merge-file(1) does, into the first. A failure where they conflict.

    Raises Fatal where one cannot be read or written.
    """
    style = CurrentConfig().get("merge.conflictStyle")
    markers = Markers(marker_size, has_base=style in ("diff3", "zdiff3"))
    versions = [_read_file(name) for name in (base, current, other)]
    merged = merge_files(versions[0], versions[1], versions[2], markers)
    if merged is None:
        merged = _merge_lines(current, base, other, markers)
    # Never half: git takes what is there, also after a failure.
    save(Path(current), merged.content)
    data = {"conflicts": list(merged.conflicts)}
    if not merged.conflicts:
        return Ending(DONE, data)
    text = f"{count(len(merged.conflicts), 'conflict')}: {all_of(merged.conflicts)}"
    if not output.json:
        say_line(text)
    hint = "edit what is between the markers, then 'git add' it"
    return Ending(FAILED, data, Failure(Reason.INVALID, text, hint))


def _merge_lines(current: str, base: str, other: str, markers: Markers) -> MergedFile:
    """What git itself does with files that it does not know."""
    style = ["--diff3"] if markers.has_base else []
    size = f"--marker-size={markers.size}"
    labels = ["-L", "ours", "-L", "base", "-L", "theirs"]
    done = run_git(
        ["merge-file", "-p", *style, size, *labels, "--", current, base, other], env=os.environ
    )
    if not 0 <= done.returncode <= 127:
        said = done.stderr.decode("utf-8", "replace").strip().removeprefix("error: ")
        raise Fatal(f"cannot merge '{current}': {said}", reason=Reason.INVALID)
    return MergedFile(done.stdout, ("lines",) * done.returncode)


def _read_file(name: str) -> bytes:
    try:
        return Path(name).read_bytes()
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise Fatal(f"cannot read '{name}': {why}", reason=Reason.INVALID) from error


def _find_attributes(repository: Repository) -> Path:
    """The attributes of this repository that are nobody else's."""
    return repository.common_dir / "info" / "attributes"


def _read_others(path: Path) -> list[str]:
    """The lines that people wrote."""
    if not path.exists():
        return []
    lines = path.read_text("utf-8", "surrogateescape").splitlines()
    if _BEGIN in lines:
        at = lines.index(_BEGIN)
        del lines[at : at + 2]
    return lines


def _write_lines(path: Path, lines: list[str]) -> None:
    path.parent.mkdir(exist_ok=True)
    text = "".join(f"{line}\n" for line in lines)
    save(path, text.encode("utf-8", "surrogateescape"))


def _end_command(text: str, path: Path, output: Output, *, installed: bool) -> Ending:
    if not (output.json or output.quiet):
        say_line(text)
    if installed and not output.json:
        write_line(sys.stdout, shell_word(str(path)))
    return Ending(data={"attributes": str(path), "installed": installed})
