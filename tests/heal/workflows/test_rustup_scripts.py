"""Scripts that do no more than ask rustup for a toolchain."""

import pytest

from git_retcon.heal.workflows.rustup_scripts import WantedRust, read_rustup

_VALUES = {"nightly": "nightly-2025-01-25"}


def _read(script: str) -> WantedRust | None:
    return read_rustup(script, lambda name: _VALUES.get(name, ""))


@pytest.mark.parametrize(
    ("script", "wanted"),
    [
        ("rustup update stable --no-self-update", WantedRust(("stable",), (), ())),
        ("rustup update $nightly && rustup default ${nightly}\nrustup show",
         WantedRust(("nightly-2025-01-25",), (), ())),
        ("rustup toolchain install 1.75\nrustup component add rust-src clippy\nrustc --version",
         WantedRust(("1.75",), ("rust-src", "clippy"), ())),
        ("rustup target add thumbv6m-none-eabi", WantedRust((), (), ("thumbv6m-none-eabi",))),
        ("rustup toolchain install stable --profile minimal --component rustfmt --no-self-update",
         WantedRust(("stable",), ("rustfmt",), ())),
        ("rustup toolchain install --profile=minimal -c clippy,rustfmt -t wasm32-wasip1 $nightly",
         WantedRust(("nightly-2025-01-25",), ("clippy", "rustfmt"), ("wasm32-wasip1",))),
    ],
)  # fmt: skip
def test_what_is_asked_for(script: str, wanted: WantedRust) -> None:
    assert _read(script) == wanted


@pytest.mark.parametrize(
    "script",
    [
        "rustup update stable && cargo test",
        "cargo build",
        "rustup update",  # of everything that is here
        "rustup update $unknown",
        "rustup override set stable",
        "rustup self update",
        "rustup target add wasm32 --toolchain nightly",
        "rustup component add clippy --target wasm32-wasip1",
        "rustup toolchain install stable --component",
        "rustup toolchain install stable --component $unknown",
        "rustup toolchain install stable --path ./mine",
        "rustup toolchain install stable --profile minimal && rustup run stable cargo test",
        "rustup component remove clippy",
        "rustup show",
    ],
)
def test_what_does_more_or_less_is_left_alone(script: str) -> None:
    assert _read(script) is None
