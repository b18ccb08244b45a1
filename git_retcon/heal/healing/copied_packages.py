"""Packages that a step installs from the tree, as ``pip install .`` does: a copy, which later steps
test in place of the tree.

In the sandbox a fix would never reach that copy: its virtual environment is not written there, and
there is no network to build with. So what the build needs is fetched beforehand, and each later
step first builds the package as the fix has it, into a folder of its own, and finds it before the
copy. That is what ``pip install .`` does on CI, less the packages that it depends on.
"""

import shlex
import tomllib
from collections.abc import Sequence

from git_retcon.errors import Reason, Refused
from git_retcon.heal.healing.drafted_job import DraftedJob
from git_retcon.heal.healing.network_steps import find_copied_folders
from git_retcon.heal.results import StepResult
from git_retcon.lazy_named_tuple import NamedTuple

_WHEELS = "build-wheels"  # below the tool cache, which no confined command changes
# As pip does for a project that names no build system; older releases want wheel too.
_USUAL = ("setuptools>=40.8.0", "wheel")
# Built on a copy: what a build leaves in the tree would be in the next one.
_BUILD = """\
place=$RUNNER_TEMP/copied-packages
rm -rf "$place"
mkdir -p "$place"
for folder in {folders}; do
    cp -R "$GITHUB_WORKSPACE/$folder" "$place/source" &&
        python -m pip install --quiet --no-deps --no-index --find-links {wheels} \\
            --target "$place/made" --upgrade "$place/source" >"$place/log" 2>&1 ||
        {{ cat "$place/log"; echo "the package in '$folder' cannot be built"; exit 1; }}
    rm -rf "$place/source"
done
export PYTHONPATH="$place/made${{PYTHONPATH:+:$PYTHONPATH}}"
exec "$@"
"""


class CopiedPackages(NamedTuple):
    """The packages of a job. ``steps`` are the numbers of those that install nothing else that a
    fix changes; ``prefix`` comes before a command that is to find the packages as they are now.
    """

    steps: frozenset[int]
    prefix: tuple[str, ...]


NONE = CopiedPackages(frozenset(), ())


def prepare_copied_packages(job: DraftedJob, steps: Sequence[StepResult]) -> CopiedPackages:
    """Fetch what it takes to build again what these steps have installed from the tree. Nothing
    confines that, so no model may have written anything yet.
    """
    found = [(one, find_copied_folders(one, job.bench.paths)) for one in steps]
    copying = [(one.number, folders) for one, folders in found if folders]
    if not copying:
        return NONE
    folders = list(dict.fromkeys(folder for _, each in copying for folder in each))
    wheels = job.folders.tool_cache / _WHEELS
    _fetch_build_tools(job, folders, str(wheels))
    script = _BUILD.format(folders=shlex.join(folders), wheels=shlex.quote(str(wheels)))
    return CopiedPackages(frozenset(number for number, _ in copying), ("sh", "-c", script, "sh"))


def require_copied_packages(job: DraftedJob, copied: CopiedPackages) -> None:
    """Let each step of a confined job find the packages as they are now. Raises Refused where they
    cannot be built in the sandbox even without a fix.
    """
    if not copied.prefix:
        return
    outcome = job.run_command([*copied.prefix, "true"], "")
    if outcome.status:
        last = outcome.output.decode("utf-8", "replace").strip().rpartition("\n")[2]
        raise Refused(
            "the step tests a copy of the tree that is installed before, and that cannot be built "
            f"again without network: {last}",
            hint="'pip install -e' in its place tests the tree itself; or name the packages that "
            "its build needs under [build-system] of pyproject.toml",
            reason=Reason.NOT_READY,
        )
    job.before_steps = copied.prefix


def _fetch_build_tools(job: DraftedJob, folders: Sequence[str], target: str) -> None:
    """Download what builds the packages. Where that fails, so will the build, which says so."""
    needed = dict.fromkeys(name for folder in folders for name in _list_build_tools(job, folder))
    job.run_command(["python", "-m", "pip", "download", "--quiet", "--dest", target, *needed], "")


def _list_build_tools(job: DraftedJob, folder: str) -> list[str]:
    name = f"{folder}/pyproject.toml".removeprefix("./")
    file = job.draft.read(name.encode("utf-8", "surrogateescape"))
    try:
        said = tomllib.loads(file.content.decode("utf-8")) if file is not None else {}
        named = said["build-system"]["requires"]
    except (ValueError, KeyError, TypeError):
        return list(_USUAL)
    texts = [one for one in named if isinstance(one, str) and not one.startswith("-")]
    return [*texts, *(["wheel"] if any(one.startswith("setuptools") for one in texts) else [])]
