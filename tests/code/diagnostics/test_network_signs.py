"""A network that is not there, or not trusted, is no fault of the code, whoever says so."""

import pytest

from git_retcon.code.diagnostics.complaints import extract_complaints
from git_retcon.code.diagnostics.diagnostic import Category

PROXY = "https://proxy.golang.org/github.com/stretchr/testify/@v/v1.12.0.zip"
NO_HOST = "dial tcp: lookup proxy.golang.org on 10.0.0.1:53: no such host"
UNTRUSTED = "tls: failed to verify certificate: x509: certificate signed by unknown authority"


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        (f'cli_test.go:10:2: github.com/stretchr/testify@v1.12.0: Get "{PROXY}": {NO_HOST}', ""),
        (f'a.go:3:2: example.org/a@v1.0.0: Get "{PROXY}": {UNTRUSTED}', ""),
        (f'go: example.org/a@v1.0.0: Get "{PROXY}": {UNTRUSTED}', ""),
        (f'2026/11/27 06:37:09 Get "https://example.org/tool": {NO_HOST}', ""),
        ("  cause: error sending request for url (https://pypi.org/simple/twine/)", ""),
        ("  Caused by: error sending request for url (https://pypi.org/simple/twine/)", ""),
        ("  ╰─▶ error sending request for url (https://pypi.org/simple/twine/)", ""),
        ("  [60] SSL peer certificate or SSH remote key was not OK (self-signed)", ""),
        (
            "WARNING: Retrying (Retry(total=4, connect=None, read=None, redirect=None, status=None"
            ")) after connection broken by 'SSLError(SSLCertVerificationError(1, \"no\"))': /x/",
            "",
        ),
        ("curl: (60) SSL certificate problem: self-signed certificate", ""),
        ("curl: (7) Failed to connect to example.org port 443 after 2 ms: refused", ""),
        ("wget: unable to resolve host address ‘example.org’", "dns"),
        ("npm error code SELF_SIGNED_CERT_IN_CHAIN", "npm-SELF_SIGNED_CERT_IN_CHAIN"),
        ("npm ERR! code UNABLE_TO_VERIFY_LEAF_SIGNATURE", "npm-UNABLE_TO_VERIFY_LEAF_SIGNATURE"),
        (
            " ERR_PNPM_META_FETCH_FAIL  GET https://registry.example.org/x: request failed",
            "ERR_PNPM_META_FETCH_FAIL",
        ),
        ("➤ YN0001: │ RequestError: getaddrinfo ENOTFOUND example.org", "dns-enotfound"),
        (
            "urllib.error.URLError: <urlopen error [SSL: CERTIFICATE_VERIFY_FAILED] certificate"
            " verify failed: self-signed certificate (_ssl.c:1006)>",
            "",
        ),
        ("connect to address 192.0.2.1: Network is unreachable", ""),
    ],
)
def test_signs(line: str, rule: str) -> None:
    (found,) = extract_complaints(f"{line}\n".encode())
    assert (found.category, found.rule) == (Category.INFRASTRUCTURE, rule or "network")
    assert (found.path, bool(found.suggestion)) == (None, True)


@pytest.mark.parametrize(
    "line",
    [
        "    client_test.go:9: dial tcp 127.0.0.1:9: connect: connection refused",
        "    client_test.go:9: x509: certificate has expired",
        "client.go:9:2: dial tcp is no word of Go",
        "curl: (7) Failed to connect to localhost port 8080 after 0 ms: refused",
        "curl: (22) The requested URL returned error: 404",
        "  cause: error sending request for url (http://127.0.0.1:9/)",
    ],
)
def test_a_server_of_the_tests_is_none_of_the_network_s(line: str) -> None:
    found = extract_complaints(f"{line}\n".encode())
    assert Category.INFRASTRUCTURE not in [one.category for one in found]
