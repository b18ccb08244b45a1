"""Which paths of inputs are in the folders of a job."""

import time
from pathlib import Path

import pytest

from git_retcon.heal.execution.job_session import JobSession
from git_retcon.heal.execution.masks import Masks
from git_retcon.heal.execution.own_places import NotOurs, find_own_entry, find_own_place
from git_retcon.heal.execution.step_environment import JobFolders


@pytest.fixture
def session(tmp_path: Path) -> JobSession:
    folders = JobFolders(tmp_path / "job", tmp_path / "short")
    workspace = tmp_path / "tree"
    for folder in (folders.home, folders.temporary, folders.short, workspace, tmp_path / "out"):
        folder.mkdir(parents=True)
    return JobSession(folders, workspace, {}, Masks((), bytes), time.monotonic())


def test_a_link_leads_out_and_is_itself_an_entry(tmp_path: Path, session: JobSession) -> None:
    link = tmp_path / "tree/link"
    link.symlink_to(tmp_path / "out")
    assert find_own_entry(link, session) == link
    for find, path in ((find_own_place, link), (find_own_entry, link / "file")):
        with pytest.raises(NotOurs, match="is not in the workspace"):
            find(path, session)


def test_a_link_in_the_place_of_a_folder_of_the_job_is_not_followed(
    tmp_path: Path, session: JobSession
) -> None:
    session.folders.home.rmdir()
    session.folders.home.symlink_to(tmp_path / "out")
    for path in (session.folders.home, session.folders.home / "file"):
        with pytest.raises(NotOurs):
            find_own_entry(path, session)


def test_two_dots_take_a_name_away(tmp_path: Path, session: JobSession) -> None:
    (tmp_path / "tree/link").symlink_to(tmp_path / "out")
    assert find_own_place(tmp_path / "tree/link/../new", session) == tmp_path / "tree/new"
    with pytest.raises(NotOurs):
        find_own_place(tmp_path / "tree/../out", session)
