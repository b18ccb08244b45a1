"""JavaScript and TypeScript, and the components that hold them."""

from git_retcon.code.languages.language import Files, Language, Proposal, Sign
from git_retcon.code.languages.usual import C_COMMENT, DOUBLE, SINGLE, SLASH_ATTACHED, Quote
from git_retcon.code.lazy_pattern import LazyPattern

_BUILT = Sign(b"package.json", LazyPattern(rb"\S"), ("scripts", "build"))
# What 'npm init' writes is no test.
_TESTED = Sign(
    b"package.json",
    LazyPattern(rb"\A(?!echo \"Error: no test specified)\s*\S"),
    ("scripts", "test"),
)

JAVASCRIPT = Language(
    "javascript",
    Files(
        endings=b"js jsx mjs cjs ts tsx mts cts vue svelte",
        builds=rb"package\.json",
        generated=rb"[^/]*\.(?:min\.js|map|snap)",
        declarations=rb"[^/]*\.d\.ts",
        folder_files=rb"index\.\w+",
        # By convention of bundlers, the folder of the sources.
        root_words=b"@ ~",
        proposals=(
            (b"tsconfig.json", Proposal("npx tsc --noEmit", "npm test", test_sign=_TESTED)),
            (b"package.json", Proposal("npm run build", "npm test", _BUILT, _TESTED)),
        ),
        tools="node npm npx pnpm yarn tsc deno bun",
    ),
    line_comments=(b"//",),
    quotes=(C_COMMENT, DOUBLE, SINGLE, Quote(b"`", b"`", many_lines=True)),
    function_heads=True,
    imports=LazyPattern(rb"\s*(?:import\b|export\s.*\bfrom\b|(?:const|let|var)\s.*=\s*require\()"),
    attached=SLASH_ATTACHED,
    entries=LazyPattern(rb"([ \t]+)[\w\"'\[(][^{}]*;[ \t]*(?://.*)?$"),
    members=LazyPattern(rb"\s*(?:export\s+|declare\s+|default\s+)*(?:interface|type)\b[^;]*\{\s*$"),
)
