"""Each sandbox works, and holds, for a user without any right of root."""

import os
import subprocess
import tempfile
from pathlib import Path

import pytest

from git_retcon.run.sandbox.level import Level
from tests.sandboxes import sandbox_of

CHECKOUT = Path(__file__).parents[3]
_PROGRAM = """
import os, subprocess, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from git_retcon.run.environment import sandboxed_environment
from git_retcon.run.sandbox.bubblewrap import find_bubblewrap
from git_retcon.run.sandbox.confinement import confine_to
from git_retcon.run.sandbox.landlock import find_landlock
from git_retcon.run.sandbox.namespaces import find_namespaces
from git_retcon.run.shell_command import run_command
base = Path(sys.argv[2])
os.chdir(base)
found = {"bubblewrap": find_bubblewrap, "namespaces": find_namespaces, "landlock": find_landlock}
sandbox = found[sys.argv[3]]()
tree = base / "tree"
(tree / ".git").mkdir(parents=True)
(base / "home").mkdir()
(base / "home/secret").write_text("a secret")
(tree / ".env").write_text("a secret")
env = sandboxed_environment({"HOME": str(base / "home"), "PATH": os.environ["PATH"]})
view = confine_to(tree, env, protected=[tree / ".git"], veiled=[tree / ".env"])
command = (
    "id -u; echo x >made; echo x >%s/out; echo x >.git/config; cat .env %s/home/secret;"
    " grep -c 0000000000000000 /proc/self/status; cat made" % (base, base)
)
done = run_command(command, cwd=tree, env=env, prefix=sandbox.prefix(view), timeout=60)
print(done.output.decode())
assert not (base / "out").exists(), "wrote outside"
print("config", (tree / ".git/config").exists(), "secret", b"a secret" in done.output)
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="the other tests are those of an unprivileged user")
@pytest.mark.parametrize("level", [Level.BUBBLEWRAP, Level.NAMESPACES, Level.LANDLOCK])
def test_it_holds_a_user_who_is_not_root(level: Level) -> None:
    sandbox_of(level)
    python = Path("/usr/bin/python3")
    if not python.exists():
        pytest.skip("there is no Python that every user can read")
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name:
        package = Path(name, "package")
        package.mkdir()
        subprocess.run(["cp", "-r", CHECKOUT / "git_retcon", package], check=True)
        Path(name, "base").mkdir()
        for place in (Path(name), Path(name, "base")):
            place.chmod(0o777)
        done = subprocess.run(
            [str(python), "-c", _PROGRAM, str(package), f"{name}/base", level.value],
            user=65534,
            group=65534,
            extra_groups=[],
            env={"PATH": "/usr/bin:/bin", "HOME": f"{name}/base", "TMPDIR": "/tmp"},
            cwd=name,
            capture_output=True,
            text=True,
        )
    assert done.returncode == 0, done.stderr
    said = done.stdout.split()
    assert said[0] == "65534" and "x" in said, done.stdout
    if level.is_strong:
        assert said[-4:] == ["config", "False", "secret", "False"], done.stdout
