"""What is known of Ruby and Elixir."""

from git_retcon.code.languages.known import language_of
from git_retcon.code.languages.ruby import RUBY
from tests.code.languages.reading import attached, defined, imported, opened


def test_lines() -> None:
    assert defined(b"a.rb", "module A\n  def self.build(x)\n") == ["A", "build"]
    assert defined(b"a.ex", "defmodule B do\n  defp c(d) do\n") == ["B", "c"]
    assert imported(b"a.rb", "require 'a'\nrequire_relative 'b'\nrequired = 1\n") == [0, 1]
    assert opened(b"a.rb", 'x = "a\n# "\ny\n') == [False, False]
    assert attached(b"a.rb", "# why")


def test_files() -> None:
    for path in (b"Rakefile", b"a/Gemfile", b"a.gemspec", b"a.exs"):
        assert language_of(path) is RUBY
