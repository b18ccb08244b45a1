"""Ruby, and Elixir, whose blocks end alike."""

from git_retcon.code.languages.language import Blocks, Files, Language, Proposal
from git_retcon.code.languages.usual import DOUBLE, HASH_ATTACHED, SINGLE
from git_retcon.code.lazy_pattern import LazyPattern

RUBY = Language(
    "ruby",
    Files(
        endings=b"rb rake gemspec ex exs",
        names=b"Rakefile Gemfile",
        builds=rb"gemfile",
        proposals=(
            (b"Gemfile", Proposal("", "bundle exec rake")),
            (b"mix.exs", Proposal("mix compile", "mix test")),
        ),
        tools="ruby bundle",
    ),
    line_comments=(b"#",),
    quotes=(DOUBLE, SINGLE),
    blocks=Blocks.WORDS,
    imports=LazyPattern(rb"\s*(?:require|require_relative|include|extend)\b"),
    attached=HASH_ATTACHED,
)
