"""What is known of Lua."""

from tests.code.languages.reading import defined, imported, opened


def test_lines() -> None:
    assert defined(b"a.lua", "local function run(x)\nM.stop = function()\n") == ["run", "stop"]
    assert imported(b"a.lua", "local a = require 'a'\nrequire('b')\nrequired = 1\n") == [0, 1]
    assert opened(b"a.lua", "--[[ a\n]] -- [[\nx = [[\n]]\n") == [True, False, True]
