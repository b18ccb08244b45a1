"""Makes the completion scripts as a wheel is built, which puts them where shells look."""

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompletionScripts(BuildHookInterface[Any]):
    """Needs click alone of what the commands need: the rest is imported as they run."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        sys.path.insert(0, self.root)
        from git_retcon.commands.completion.script import make_installed_scripts

        self._folder = Path(tempfile.mkdtemp())
        for number, (place, text) in enumerate(make_installed_scripts()):
            source = self._folder / str(number)
            source.write_text(text, encoding="utf-8")
            build_data["shared_data"][str(source)] = f"share/{place}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        shutil.rmtree(self._folder)
