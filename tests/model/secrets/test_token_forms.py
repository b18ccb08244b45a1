"""The table of forms: each line can be searched in linear time."""

import re

from git_retcon.model.secrets.token_forms import FORMS


def test_every_form_has_fixed_bytes_to_begin_a_search_with() -> None:
    for form in FORMS:
        assert form.prefix, form.service
        assert bool(form.whole) != bool(form.rest), form.service
        assert not form.whole or form.prefix in form.whole.replace(b"\\", b""), form.service


def test_nothing_repeats_without_end() -> None:
    for form in FORMS:
        bare = re.sub(rb"\[[^\]]*\]|\\.", b"x", form.whole or form.rest)
        assert not re.search(rb"[*]|[^}]\+", bare), form.service


def test_no_form_is_there_twice() -> None:
    forms = [(form.prefix, form.rest, form.whole) for form in FORMS]
    assert len(set(forms)) == len(forms)
