"""Types by the names and modules of the specification."""

from tests.allium.extract.declared import declare


def test_names_lead_through_packages_to_other_files() -> None:
    told = declare({
        "shop/orders/models.py": "from ..people import User\nclass Order:\n    by: User\n",
        "shop/people/__init__.py": "from .user import *\n",
        "shop/people/user.py": "class User:\n    id: int\n",
    })  # fmt: skip
    assert "    by: shop/people/User\n" in told


def test_names_that_mean_each_other_end() -> None:
    told = declare({
        "shop/a.ts": "import { Two } from './b'\nexport type One = Two\n",
        "shop/b.ts": "import { One } from './a'\nexport type Two = One\n",
        "shop/c.ts": "import { One } from './a'\n"
        "export interface Order {\n  id: string\n  by: One\n}\n",
    })  # fmt: skip
    assert "    by: Any" in told
