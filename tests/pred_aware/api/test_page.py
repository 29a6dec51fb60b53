"""The API page: current, and every public name on it."""

import pred_aware
from docs.make_api import PAGE, names, page


def test_the_page_is_what_the_docstrings_say() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run python docs/make_api.py"


def test_every_public_name_is_on_the_page() -> None:
    public = {name for name in pred_aware.__all__ if not name.startswith("__")}
    assert set(names()) == public
    assert all(f"\n## {name}\n" in page() for name in public)


def test_a_class_is_shown_with_the_text_below_each_of_its_fields() -> None:
    of_blocks = page().partition("\n## BlockList\n")[2]
    assert "**Parameters**\n\n- `name`\n- `processors`\n- `blocks`: Together" in of_blocks
