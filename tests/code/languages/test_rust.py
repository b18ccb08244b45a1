"""What is known of Rust."""

from git_retcon.code.file_classes import FileClass, file_classes
from git_retcon.code.filenames import find_import_name, score_fit
from git_retcon.code.languages.rust import RUST
from tests.code.languages.reading import attached, defined, imported, opened


def test_lines() -> None:
    text = "impl<T> Display for Token<T> {\n    pub(crate) fn run<'a>(x: &'a str) {\n"
    assert defined(b"a.rs", text) == ["Token", "run"]
    assert imported(b"a.rs", "use a::{\n    b,\n};\nmod c;\nmod tests {\n    fn f() {}\n}\n") == [
        *(0, 1, 2, 3),
    ]
    assert opened(b"a.rs", 'r#"a "\nb"#;\n&\'a str; b\'"\'\n/* \n*/\n') == [
        *(True, False, False, True),
    ]
    assert attached(b"a.rs", "#[test]")
    assert attached(b"a.rs", "/// says")


def test_files() -> None:
    assert FileClass.BUILD in file_classes(b"a/Cargo.toml")
    assert find_import_name(b"token/mod.rs") == b"token"
    assert score_fit(b"crate::token", b"src/main.rs", b"src/token.rs") > 0
    assert RUST.files.declares_files
