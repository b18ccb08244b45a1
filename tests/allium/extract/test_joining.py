"""Names that lead to other files."""

from tests.allium.extract.declared import declare


def test_names_lead_through_packages_to_other_files() -> None:
    told = declare({
        "shop/orders/models.py": "from ..people import User\nclass Order:\n    by: User\n",
        "shop/people/__init__.py": "from .user import *\n",
        "shop/people/user.py": "class User:\n    id: int\n",
    })  # fmt: skip
    assert "    by: shop/people/User\n" in told
