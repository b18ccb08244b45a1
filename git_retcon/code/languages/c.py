"""C and its family: C++, Objective-C, CUDA, and protocol buffers, which look like it."""

from git_retcon.code.languages.language import Files, Language, Proposal
from git_retcon.code.languages.usual import C_COMMENT, CHARACTER, DOUBLE, SLASH_ATTACHED
from git_retcon.code.lazy_pattern import LazyPattern

_CMAKE = Proposal("cmake -B build && cmake --build build", "ctest --test-dir build")

C = Language(
    "c",
    Files(
        endings=b"c h cc cpp cxx hh hpp hxx inl m mm cu proto",
        builds=rb"meson[^/]*|configure[^/]*|[^/]*\.(?:am|ac|m4)",
        declarations=rb"[^/]*\.(?:h|hh|hpp|hxx|proto)",
        # What a header declares is seen by every file that may include it, by whichever path.
        header_scoped=(
            b".c",
            b".h",
            b".m",
            b".cc",
            b".hh",
            b".cpp",
            b".hpp",
            b".cxx",
            b".hxx",
            b".inl",
        ),
        proposals=(
            (b"CMakeLists.txt", _CMAKE),
            (b"meson.build", Proposal("meson setup --reconfigure build && ninja -C build", "")),
        ),
        tools="gcc g++ cc c++ clang ld",
    ),
    line_comments=(b"//",),
    quotes=(C_COMMENT, DOUBLE),
    literals=CHARACTER,
    function_heads=True,
    imports=LazyPattern(rb"\s*#\s*(?:include|import)\b|\s*using\s"),
    attached=SLASH_ATTACHED,
    # A field: indented, no call, a semicolon, perhaps a comment behind it.
    entries=LazyPattern(rb"([ \t]+)[A-Za-z_][^(){}=]*;[ \t]*(?://.*|/\*.*\*/\s*)?$"),
    members=LazyPattern(rb"\s*(?:typedef\s+)?(?:struct|union)\b[^;(]*\{\s*$"),
)
