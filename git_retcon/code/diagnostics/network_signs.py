"""What programs that fetch something say where they reach nobody: no name, no answer, no trust.

A server that tests cannot reach may be one of their own: only the words of tools count, or words
that name a host which is not this machine.
"""

from git_retcon.code.diagnostics.diagnostic import Category
from git_retcon.code.lazy_pattern import LazyPattern

HINTS = (
    "ERR!",
    "npm error",
    "ERR_PNPM",
    "request to http",
    "ENOTFOUND",
    "ECONN",
    "ETIMEDOUT",
    "EAI_AGAIN",
    "resolve host",
    "Temporary failure",
    "dial tcp",
    "x509: ",
    "ame or service not known",
    "Unknown host ",
    "error sending request",
    "connection broken by",
    "curl: (",
    "CERTIFICATE_VERIFY_FAILED",
    "Network is unreachable",
    "SSL peer certificate",
)
_NETWORK = "Check the network, proxy and registry, and run it again."
_TRUST = "Name the certificates of your proxy or registry (SSL_CERT_FILE), and run it again."
# "go: …", "a.go:3:2: example.org/a@v1.2.0: Get …", and a program that ends with log.Fatal
_OF_GO = (
    r"^(?:go: .{0,400}\b|\S+\.go:\d+:\d+: \S+@v\S+: .{0,300}\b"
    r"|(?:\d{4}/\d\d/\d\d [\d:]{8} )?(?:Get|Head) \"https://[^\"]{1,300}\": )"
)


class Sign:
    """A message that is known: the groups ``file``, ``line`` and ``code`` fill the record."""

    def __init__(
        self,
        needle: str,
        pattern: str,
        rule: str,
        suggestion: str = "",
        category: Category = Category.INFRASTRUCTURE,
    ) -> None:
        self.needle = needle
        self.pattern = LazyPattern(pattern)
        self.rule = rule
        self.suggestion = suggestion
        self.category = category


SIGNS = (
    Sign(
        "npm ",
        r"^npm (?:ERR!|error) code "
        r"(?P<code>E(?:TIMEDOUT|CONN[A-Z]+|NOTFOUND|AI_AGAIN|NETUNREACH))$",
        "npm-",
        _NETWORK,
    ),
    Sign(
        "npm ",
        r"^npm (?:ERR!|error) code (?P<code>UNABLE_TO_[A-Z_]+|SELF_SIGNED_CERT_IN_CHAIN"
        r"|DEPTH_ZERO_SELF_SIGNED_CERT|CERT_[A-Z_]+)$",
        "npm-",
        _TRUST,
    ),
    Sign(
        "ERR_PNPM_META_FETCH_FAIL",
        r"^\s*(?P<code>ERR_PNPM_META_FETCH_FAIL)\s+.+$",
        "",
        _NETWORK,
    ),
    Sign(
        "request to http",
        r"^error: request to https?://\S+ failed.*$",
        "registry-request-failed",
        _NETWORK,
    ),
    Sign(
        "ENOTFOUND",
        r"^(?:Error: |➤ YN\d+: .{0,80}: )?getaddrinfo ENOTFOUND \S+$",
        "dns-enotfound",
        _NETWORK,
    ),
    Sign(
        "ECONN",
        r"^(?:Error: )?(?:connect|read) ECONN(?:REFUSED|RESET)\b.*$",
        "network",
        _NETWORK,
    ),
    Sign(
        "EAI_AGAIN",
        r"^.{0,80}getaddrinfo EAI_AGAIN \S+.*$",
        "dns-eai-again",
        _NETWORK,
    ),
    Sign(
        "resolve host",
        r"^.{0,160}(?:[Cc]ould not|[Cc]ouldn't|unable to) resolve host:? .*$",
        "dns",
        _NETWORK,
    ),
    Sign(
        "Temporary failure",
        r"^.{0,200}Temporary failure in name resolution.*$",
        "dns",
        _NETWORK,
    ),
    Sign(
        "dial tcp",
        _OF_GO + r"dial tcp\b.{0,200}: (?:no such host|i/o timeout|server misbehaving"
        r"|connect: (?:connection refused|network is unreachable))$",
        "network",
        _NETWORK,
    ),
    Sign(
        "x509: ",
        _OF_GO + r"(?:tls: failed to verify certificate: )?x509: .+$",
        "network",
        _TRUST,
    ),
    Sign(
        "ame or service not known",
        r"^.{0,400}\b[Nn]ame or service not known.*$",
        "dns",
        _NETWORK,
    ),
    Sign(
        "Unknown host ",
        r"^\[(?:ERROR|WARNING)\] .{0,600}: Unknown host \S+.*$",
        "dns",
        _NETWORK,
    ),
    # uv, cargo and others that are written in Rust
    Sign(
        "error sending request",
        r"^(?:error|[Cc]ause|Caused by|[├╰]─▶)(?: ?: |: | )error sending request for url"
        r" \(https?://(?!localhost\b|127\.).+$",
        "network",
        _NETWORK,
    ),
    Sign(
        "SSL peer certificate",
        r"^\[60\] SSL peer certificate .+$",
        "network",
        _TRUST,
    ),
    Sign(
        "connection broken by",
        r"^WARNING: Retrying \(.{0,200}after connection broken by .+$",
        "network",
        _NETWORK,
    ),
    Sign(
        "curl: (",
        r"^curl: \((?:5|6|7|28|35|52|56|60)\) (?!.*\b(?:localhost|127\.0\.0\.1|::1)\b).+$",
        "network",
        _NETWORK,
    ),
    Sign(
        "CERTIFICATE_VERIFY_FAILED",
        r"^urllib\.error\.URLError: <urlopen error \[SSL: CERTIFICATE_VERIFY_FAILED\].+$",
        "network",
        _TRUST,
    ),
    Sign(
        "Network is unreachable",
        r"^.{0,400}\bNetwork is unreachable\b.*$",
        "network",
        _NETWORK,
    ),
)
