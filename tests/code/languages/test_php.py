"""What is known of PHP."""

from tests.code.languages.reading import attached, defined, imported, opened


def test_lines() -> None:
    assert defined(b"a.php", "abstract class A {\n  public function run($x) {\n") == ["A", "run"]
    assert imported(b"a.php", "use A\\B;\nrequire_once 'c.php';\nused();\n") == [0, 1]
    assert opened(b"a.php", "$a = 'b\n# c';\n/* d\n*/ # '\ne();\n") == [True, False, True, False]
    assert attached(b"a.php", "#[Pure]")
