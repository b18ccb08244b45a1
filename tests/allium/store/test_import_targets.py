"""What a source file imports, and the modules that speak of it."""

import pytest

from git_retcon.allium.store.import_targets import find_imported
from git_retcon.allium.store.source_map import SourceRoot

MODULES = {b"orders.allium", b"orders/tax.allium", b"net/sock.allium", b"path.allium"}


@pytest.mark.parametrize(
    ("path", "content", "found"),
    [
        ("src/a/x.py", "from orders.tax import rate", ["orders/tax.allium"]),
        ("src/orders/x.py", "from . import tax", ["orders/tax.allium"]),
        ("src/orders/deep/x.py", "from ..tax import rate", ["orders/tax.allium"]),
        ("src/shop/a.py", "import shop.orders as o", ["orders.allium"]),
        ("src/a/x.py", "import os.path\nimport json", ["path.allium"]),
        ("src/a/x.py", "'from orders import tax'", []),
        ("src/a/x.py", "print 'old'\nfrom orders.tax import rate", ["orders/tax.allium"]),
        ("src/a/x.ts", "import {\n  A,\n} from '../orders/tax/rates';", ["orders/tax.allium"]),
        ("src/a/x.ts", "import x from '@/orders';", ["orders.allium"]),
        ("src/a/x.ts", "// import x from '../orders';", []),
        ("src/a/x.js", "const t = require('../orders/tax');", ["orders/tax.allium"]),
        ("src/a/x.ts", "import '../../../../etc/orders';", []),
        ("cmd/x.go", 'import (\n\t"fmt"\n\t"host/me/shop/orders/tax"\n)', ["orders/tax.allium"]),
        ("src/a/x.rs", "use crate::orders::tax::Rate;", ["orders/tax.allium"]),
        ("src/orders/x.rs", "use super::orders::tax;", ["orders/tax.allium"]),
        ("src/A.java", "import com.acme.orders.tax.Rate;", ["orders/tax.allium"]),
        ("src/a.c", '#include "net/sock.h"', ["net/sock.allium"]),
        ("src/net/b.cpp", '#include "sock.h"', ["net/sock.allium"]),
        ("src/a.zig", "const x = require('./orders');", ["orders.allium"]),
    ],
)
def test_the_modules_of_what_is_imported(path: str, content: str, found: list[str]) -> None:
    modules = find_imported(path.encode(), content.encode(), SourceRoot(), MODULES)
    assert sorted(each.decode() for each in modules) == found


def test_what_is_too_large_to_be_written_by_hand_is_not_searched() -> None:
    content = b"from orders.tax import rate\n"
    assert find_imported(b"a.py", content + b"# x\n" * 300_000, SourceRoot(), MODULES) == set()
