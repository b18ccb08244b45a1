"""The Allium specification language, version 3: reading, checking, laying out.

``parse`` reads any bytes into a ``Document``, ``check`` says what is wrong with a set of them,
``format_spec`` lays one out, ``list_entries`` gives its declarations to a store or a merge.
"""

from git_retcon.allium.language.checker import SILENCER, check, list_silencers
from git_retcon.allium.language.document import Document, Entry, list_entries, parse
from git_retcon.allium.language.findings import Diagnostic, Severity, is_error
from git_retcon.allium.language.formatter import format_spec

__all__ = [
    "SILENCER",
    "Diagnostic",
    "Document",
    "Entry",
    "Severity",
    "check",
    "format_spec",
    "is_error",
    "list_entries",
    "list_silencers",
    "parse",
]
