"""Which repositories ``checks`` measures that nobody has looked at.

    python -m tests.bench.unseen FOLDER-OF-CLONES [--next]

The candidates are small libraries, named before any of them was fetched or run; none has an owner
of whom the tables of ``tests/bench/README.md`` have ever held a repository. Of each language those
are taken that come first in the alphabet, are as small as ``_MOST_FILES``, have a job that a push
or a pull request starts and of which no step is skipped here, and need no package of an index that
the machine does not reach (Go's and Rust's). All of it is read from the files; nothing is run.

``--next`` is a second set, of which nobody knew anything either when the faults of the first were
repaired: of each language those after the first set's in the alphabet, one of each language after
another, for they are measured in this order until the time is up. None of Rust and Go were left;
Go's are new names (``MORE``).
"""

import argparse
import itertools
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.bench.checks import Limits, Places, choose_jobs, find_language
from tests.bench.clones import clone_repository, list_files

_MOST_FILES = 600
_EACH = 6  # of a language
_GO = (1, 19)  # the newest version of the language that the machine's compiler knows
CANDIDATES = {
    "Python": """
        astanin/python-tabulate benjaminp/six borntyping/python-colorlog
        grantjenks/python-sortedcontainers jmespath/jmespath.py jpadilla/pyjwt keleshev/schema
        kjd/idna lepture/mistune mahmoud/boltons PyCQA/pycodestyle PyCQA/pyflakes
        python-humanize/humanize pytoolz/toolz r1chardj0n3s/parse scrapy/w3lib Suor/funcy
        tartley/colorama tkem/cachetools un33k/python-slugify
    """,
    "JavaScript": """
        alexeyraspopov/picocolors davidmarkclements/rfdc debug-js/debug developit/mitt
        epoberezkin/fast-deep-equal fb55/domhandler isaacs/minimatch janl/mustache.js jshttp/cookie
        jshttp/mime-types juliangruber/balanced-match juliangruber/brace-expansion kpdecker/jsdiff
        markdown-it/linkify-it mcollina/split2 mde/ejs micromatch/picomatch motdotla/dotenv
        nodeca/js-yaml npm/ini pillarjs/path-to-regexp TehShrike/deepmerge unshiftio/url-parse
        vercel/ms websockets/ws
    """,
    "Go": """
        alecthomas/units armon/go-radix blang/semver bmatcuk/doublestar buger/jsonparser
        dustin/go-humanize gofrs/uuid hashicorp/go-version jessevdk/go-flags jinzhu/inflection
        kballard/go-shellquote Masterminds/semver matryer/is mattn/go-runewidth mattn/go-shellwords
        oklog/ulid rivo/uniseg rs/xid sahilm/fuzzy tidwall/gjson tidwall/match tidwall/pretty
        valyala/fasttemplate yuin/goldmark
    """,
    "Rust": """
        bluss/arrayvec bluss/scopeguard blyxxyz/lexopt chronotope/humantime jeffparsons/rangemap
        KokaKiwi/rust-hex Lokathor/tinyvec matklad/once_cell mgeisler/smawk mvdnes/spin-rs
        RazrFalcon/pico-args RazrFalcon/roxmltree RazrFalcon/xmlparser seanmonstar/try-lock
        seanmonstar/unicase SergioBenitez/version_check smol-rs/fastrand smol-rs/parking
        taiki-e/pin-project-lite unicode-rs/unicode-segmentation unicode-rs/unicode-width
        unicode-rs/unicode-xid
    """,
    "C++": """
        antirez/linenoise attractivechaos/klib cktan/tomlc99 commonmark/cmark fastfloat/fast_float
        gulrak/filesystem h2o/picohttpparser jarro2783/cxxopts json-c/json-c kazuho/picojson
        kgabis/parson kokke/tiny-AES-c kokke/tiny-regex-c leethomason/tinyxml2 mity/md4c
        Neargye/semver nemequ/munit okdshin/PicoSHA2 rxi/log.c sheredom/json.h sheredom/utf8.h
        TartanLlama/expected tezc/sc tidwall/hashmap.c tplgy/cppcodec troydhanson/uthash
        yaml/libyaml zeux/pugixml
    """,
}
# The last of the first set in each language that has more.
LAST = {
    "Python": "keleshev/schema",
    "JavaScript": "janl/mustache.js",
    "C++": "kokke/tiny-AES-c",
}
MORE = {
    "Go": """
        agnivade/levenshtein bits-and-blooms/bitset ettle/strcase fvbommel/sortorder
        huandu/xstrings iancoleman/strcase jpillora/backoff maruel/natural segmentio/ksuid
        sethvargo/go-retry
    """,
}


def choose_clones(folder: Path) -> Iterator[tuple[str, Path]]:
    """The language and the clone of each repository that is taken, of those that are there."""
    for language, names in CANDIDATES.items():
        yield from _take_first(folder, language, names.split())


def choose_next(folder: Path) -> Iterator[tuple[str, Path]]:
    """The same of the second set, one of each language after another."""
    later = {language: _list_later(language) for language in LAST}
    later |= {language: names.split() for language, names in MORE.items()}
    chosen = [list(_take_first(folder, language, names)) for language, names in later.items()]
    for row in itertools.zip_longest(*chosen):
        yield from (each for each in row if each is not None)


def _list_later(language: str) -> list[str]:
    last = LAST[language].lower()
    return [name for name in CANDIDATES[language].split() if name.lower() > last]


def _take_first(folder: Path, language: str, names: list[str]) -> Iterator[tuple[str, Path]]:
    taken = 0
    for name in sorted(names, key=str.lower):
        clone = folder / name.replace("/", "+") / "repo"
        if taken < _EACH and clone.exists() and _is_taken(clone, language):
            taken += 1
            yield language, clone


def _is_taken(clone: Path, language: str) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        places = Places(clone, Path(folder))
        clone_repository(clone, places.ours)
        paths = list_files(places.ours)
        if len(paths) > _MOST_FILES or _needs_index(places.ours, paths):
            return False
        written = find_language(places.ours)
        jobs = choose_jobs(places, Limits(0, 5, 0))
        # TypeScript is built and tested by the same tools.
        is_right = {"TypeScript": "JavaScript"}.get(written, written) == language
        return is_right and any(job.commands and not job.skipped for job in jobs)


def _needs_index(top: Path, paths: list[str]) -> bool:
    """Whether Go or Rust would fetch a package, or Go would need a newer compiler."""
    for path in paths:
        name = path.rpartition("/")[2]
        if name == "go.mod" and _needs_modules((top / path).read_text("utf-8")):
            return True
        if name == "Cargo.toml" and _needs_crates((top / path).read_text("utf-8")):
            return True
    return False


def _needs_modules(text: str) -> bool:
    version = re.search(r"(?m)^go (\d+)\.(\d+)", text)
    is_newer = version is not None and (int(version[1]), int(version[2])) > _GO
    return is_newer or re.search(r"(?m)^require\b", text) is not None


def _needs_crates(text: str) -> bool:
    tables = re.findall(r"(?m)^\[[^\]]*dependencies[^\]]*\]\n((?:[^\[\n].*\n|\n)*)", text)
    wanted = [line for table in tables for line in table.splitlines() if "=" in line]
    return any("path" not in line and not line.startswith("#") for line in wanted)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, metavar="FOLDER-OF-CLONES")
    parser.add_argument("--next", action="store_true", help="the second set")
    options = parser.parse_args()
    choose = choose_next if options.next else choose_clones
    for language, clone in choose(options.folder):
        print(language, clone, sep="\t", flush=True)


if __name__ == "__main__":
    main()
