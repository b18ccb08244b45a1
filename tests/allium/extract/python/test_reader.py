"""Python files that cannot be read, and what is left out."""

import pytest

from git_retcon.allium.extract.python.reader import read_python
from tests.allium.extract.declared import declare_python


@pytest.mark.parametrize("source", ["class X(", "x = '\\ud800'\n\x00", "(" * 5000 + ")" * 5000])
def test_what_cannot_be_parsed_is_said(source: str) -> None:
    assert read_python(b"a.py", source.encode()) is None


def test_dead_code_and_what_is_no_data_is_left_out() -> None:
    source = """
from rest_framework import serializers
class OrderError(Exception):
    code: int
class OrderSerializer(serializers.Serializer):
    name = serializers.CharField()
if False:
    class Old:
        id: int
def make():
    class Inner:
        id: int
"""
    assert declare_python(source) == ""
