"""Java and what is read like it: Kotlin, Scala, Groovy, C#, Swift, Dart."""

from git_retcon.code.languages.language import Files, Language, Proposal
from git_retcon.code.languages.usual import C_COMMENT, CHARACTER, DOUBLE, SLASH_ATTACHED, Quote
from git_retcon.code.lazy_pattern import LazyPattern

JAVA = Language(
    "java",
    Files(
        endings=b"java kt kts scala groovy gradle cs swift dart",
        tests=rb"[^/]*tests?\.(?:java|cs|kt)",
        builds=rb"pom\.xml|[^/]*\.(?:gradle|kts|csproj|sln)",
        # Maven's name for integration tests: TokenIT is about Token.
        test_marks=rb"IT$",
        folder_scoped=(b".java", b".kt", b".scala", b".swift", b".cs"),
        proposals=(
            (b"pom.xml", Proposal("mvn -q compile", "mvn -q test")),
            (b"gradlew", Proposal("./gradlew assemble", "./gradlew test")),
        ),
        tools="java javac mvn gradle kotlinc dotnet swift",
    ),
    line_comments=(b"//",),
    quotes=(C_COMMENT, Quote(b'"""', b'"""', many_lines=True), DOUBLE),
    literals=CHARACTER,
    function_heads=True,
    imports=LazyPattern(rb"\s*(?:import|using)\s+(?:static\s+)?[\w.*{}]+"),
    attached=SLASH_ATTACHED,
)
