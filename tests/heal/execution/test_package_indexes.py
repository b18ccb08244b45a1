"""What HOME says of package indexes reaches a job's HOME, and no credentials do."""

from pathlib import Path

from git_retcon.heal.execution.package_indexes import copy_indexes, has_credentials

FILES = {
    ".config/pip/pip.conf": """\
[global]
index-url = https://pypi.example/simple
extra-index-url =
    https://me:s3cret@private.example/simple
cert = /etc/cert.pem
password = s3cret
""",
    ".npmrc": """\
registry=https://npm.example/
@mine:registry=https://mine.example/
//mine.example/:_authToken=s3cret
email=me@example.org
cafile = /etc/cert.pem
""",
    ".cargo/config.toml": """\
[source.crates-io]
replace-with = "mirror"
[source.mirror]
registry = "sparse+https://crates.example/"
[registries.private]
index = "https://me:s3cret@crates.example/index"
token = "s3cret"
[build]
rustflags = ["-C", "link-arg=-fuse-ld=mold"]
""",
    ".config/uv/uv.toml": """\
index-url = "https://pypi.example/simple"
[[index]]
url = "https://token:s3cret@private.example"
[pip]
user = true
""",
    ".config/go/env": "GOPROXY=https://proxy.example\nGOBIN=/home/me/bin\n",
    ".yarnrc.yml": "npmRegistryServer: https://npm.example\nnpmAuthToken: s3cret\n",
    ".m2/settings.xml": """\
<settings><servers><server><id>m</id><password>s3cret</password></server></servers>
<mirrors><mirror><id>m</id><url>https://maven.example</url></mirror></mirrors></settings>
""",
}


def test_addresses_are_copied_and_secrets_are_named_without_their_values(tmp_path: Path) -> None:
    home, target = tmp_path / "user", tmp_path / "job"
    for name, text in FILES.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text)
    left_out = copy_indexes(home, home / ".config", target)
    written = {
        str(path.relative_to(target)): path.read_text()
        for path in target.rglob("*")
        if path.is_file()
    }
    assert sorted(written) == sorted(FILES)
    assert "s3cret" not in str(written) + str(left_out)
    assert "index-url = https://pypi.example/simple" in written[".config/pip/pip.conf"]
    assert written[".npmrc"] == (
        "registry=https://npm.example/\n@mine:registry=https://mine.example/\n"
        "cafile=/etc/cert.pem\n"
    )
    assert 'registry = "sparse+https://crates.example/"' in written[".cargo/config.toml"]
    assert "rustflags" not in written[".cargo/config.toml"]
    assert written[".config/go/env"] == "GOPROXY=https://proxy.example\n"
    assert written[".yarnrc.yml"] == "npmRegistryServer: https://npm.example\n"
    assert "https://maven.example" in written[".m2/settings.xml"]
    assert "server" not in written[".m2/settings.xml"]
    assert left_out == [
        "extra-index-url https://private.example/simple (in pip.conf)",
        "url https://private.example (in uv.toml)",
        "registry mine.example (in .npmrc)",
        "index https://crates.example/index (in config.toml)",
    ]


def test_what_cannot_be_read_is_as_if_it_were_not_there(tmp_path: Path) -> None:
    home = tmp_path / "user"
    for name in FILES:
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_bytes(b"\xff\x00[[[<")
    assert copy_indexes(home, home / ".config", tmp_path / "job") == []
    assert not (tmp_path / "job").exists()


def test_credentials_stand_before_a_host() -> None:
    assert has_credentials("https://me:secret@host/x")
    assert has_credentials("see http://token@host")
    assert not has_credentials("https://host/me@there https://host:80/@scope/x")
