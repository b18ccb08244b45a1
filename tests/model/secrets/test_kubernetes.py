"""All values of a Kubernetes secret are secret, and nothing else of the document."""

from git_retcon.model.secrets.kubernetes import find_kubernetes_secrets

SECRET = """\
apiVersion: v1
kind: Secret
metadata:
  name: database
data:
  username: YWRtaW4=
  # how it is made: base64
  password: "UyFCXCpkJHpEc2I9"
  .dockercfg: |
    eyJhdXRocyI6
    eyJodHRwczov
type: Opaque
"""
VALUES = ["YWRtaW4=", "UyFCXCpkJHpEc2I9", "eyJhdXRocyI6", "eyJodHRwczov"]


def found_in(text: str) -> list[str]:
    return [text[start:end] for start, end in find_kubernetes_secrets(text.encode())]


def test_the_values_are_found() -> None:
    assert found_in(SECRET) == VALUES


def test_also_in_a_diff_and_with_the_kind_at_the_end() -> None:
    lines = SECRET.splitlines()
    moved = "\n".join([lines[0], *lines[2:], lines[1], ""])
    assert found_in(moved) == VALUES
    assert found_in("".join(f"+{line}\n" for line in lines)) == VALUES


def test_other_documents_beside_it_are_left_alone() -> None:
    config = SECRET.replace("kind: Secret", "kind: ConfigMap")
    assert found_in(config) == []
    assert found_in(f"{config}---\n{SECRET}---\n{config}") == VALUES


def test_templates_are_no_values() -> None:
    text = "kind: Secret\ndata:\n  password: {{ .Values.password }}\n  empty: ''\n"
    assert found_in(text) == []
