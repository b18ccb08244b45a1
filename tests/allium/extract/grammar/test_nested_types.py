"""Types inside of types, the same for every language that nests them."""

import pytest

from git_retcon.allium.extract.csharp import reader as csharp
from git_retcon.allium.extract.csharp.types import GRAMMAR as CSHARP
from git_retcon.allium.extract.grammar.syntax_nodes import is_available
from git_retcon.allium.extract.java import reader as java
from git_retcon.allium.extract.java.types import GRAMMAR as JAVA
from git_retcon.allium.extract.source_facts import FileFacts

INSIDE = """
@Entity class Order {
  Kind kind; Line first;
  enum Kind { A, B }
  @Entity static class Line { int count; }
}
"""
IN_NAMESPACES = """
namespace Shop {
  namespace Sales {
    [Table] class Order {
      public Kind Kind { get; set; }
      public enum Kind { A, B }
      [Table] public class Line { public int Count { get; set; } }
    }
  }
}
"""


def list_symbols(facts: FileFacts | None) -> list[str]:
    """The symbols of what a file declares, in order."""
    assert facts is not None
    return [each.evidence[0].symbol for each in facts.declarations]


@pytest.mark.skipif(not is_available(JAVA), reason="the extra 'java' is missing")
def test_a_type_inside_of_another_is_found_and_known_by_its_last_name() -> None:
    facts = java.read_file(b"shop/Order.java", INSIDE.encode())
    assert list_symbols(facts) == ["Order", "Order.Kind", "Order.Line"]
    assert facts is not None
    assert sorted(facts.aliases) == ["Kind", "Line"]


@pytest.mark.skipif(not is_available(CSHARP), reason="the extra 'csharp' is missing")
def test_a_namespace_gives_no_name_to_what_it_holds() -> None:
    facts = csharp.read_file(b"Shop/Order.cs", IN_NAMESPACES.encode())
    assert list_symbols(facts) == ["Order", "Order.Kind", "Order.Line"]
