"""Findings as models give them, and what of them can be believed. They are hostile input."""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.engine import Finding, FindingType
from git_retcon.allium.store.declared_facts import FactName
from git_retcon.model.messages import Json
from git_retcon.model.redaction import contains_mask
from git_retcon.model.token_count import count_tokens

FINDING: Json = {
    "type": "object",
    "properties": {
        "type": {"type": "string", "enum": [each.value for each in FindingType]},
        "specSection": {"type": "string"},
        "description": {"type": "string"},
        "sourcePaths": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["type", "specSection", "description", "sourcePaths"],
}
CHUNK_SCHEMA: Json = {
    "type": "object",
    "properties": {
        "findings": {"type": "array", "items": FINDING},
        "sectionsAffected": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["findings", "sectionsAffected"],
}
_LONGEST = 1_000  # characters of a section or a description


class Evidence(NamedTuple):
    """The files that a finding may name: those that were seen, those that are gone from the tree
    and that the specification cites, and those that could not be read.
    """

    seen: Collection[str]
    gone: Collection[str]
    skipped: Collection[str]


def read_findings(listed: Sequence[Json], evidence: Evidence) -> tuple[Sequence[Finding], int]:
    """The findings that rest on files which were read, and how many others there were."""
    found = [_read_finding(each) for each in listed]
    believed = [each for each in found if _is_believable(each, evidence)]
    return list(dict.fromkeys(believed)), len(found) - len(believed)


def _read_finding(listed: Json) -> Finding:
    section, description = (
        " ".join(str(listed[key]).split())[:_LONGEST] for key in ("specSection", "description")
    )
    # Lines behind a path are of no use, since an unrelated edit moves them.
    paths = (re.sub(r":\d+(-\d+)?$", "", str(path)) for path in listed["sourcePaths"])
    return Finding(FindingType(listed["type"]), section, description, tuple(dict.fromkeys(paths)))


def _is_believable(finding: Finding, evidence: Evidence) -> bool:
    if not finding.section or not finding.paths or contains_mask(finding.description):
        return False
    # What was not read was not removed either.
    if any(path in evidence.skipped for path in finding.paths):
        return False
    if finding.type is FindingType.REMOVAL:
        return all(path in evidence.seen or path in evidence.gone for path in finding.paths)
    return all(path in evidence.seen for path in finding.paths)


def order_findings(findings: Sequence[Finding]) -> Sequence[Finding]:
    """What is added and modified first: new content is there before old content goes."""
    return sorted(findings, key=lambda each: each.type is FindingType.REMOVAL)


def batch_findings(findings: Sequence[Finding], most_tokens: int) -> Iterator[Sequence[Finding]]:
    """The findings in their order, in batches of at most so many tokens, of one at least."""
    batch: list[Finding] = []
    size = 0
    for each in order_findings(findings):
        tokens = count_tokens(show_finding(each).encode())
        if batch and size + tokens > most_tokens:
            yield batch
            batch, size = [], 0
        batch.append(each)
        size += tokens
    if batch:
        yield batch


def show_finding(finding: Finding) -> str:
    """A finding as a prompt has it: one line of JSON."""
    shown = {
        "type": finding.type.value,
        "specSection": finding.section,
        "description": finding.description,
        "sourcePaths": list(finding.paths),
    }
    return json.dumps(shown, ensure_ascii=False)


def announce(batches: Sequence[Sequence[Finding]]) -> str:
    """What the batches still to come will do, so that nothing is removed too early."""
    coming = [each for batch in batches for each in batch]
    if not coming:
        return "There are no further batches."
    kinds = [each.type for each in coming]
    sections = ", ".join(dict.fromkeys(each.section for each in coming))
    return (
        f"Upcoming batches contain {kinds.count(FindingType.ADDITION)} additions and "
        f"{kinds.count(FindingType.REMOVAL)} removals affecting sections: [{sections}]"
    )


def is_supported(name: FactName, findings: Sequence[Finding]) -> bool:
    """Whether a finding says that a fact goes, or is otherwise."""
    _, declaration, item = name
    return any(
        _mentions_word(finding, declaration) or (item and finding.section.endswith(f": {item}"))
        for finding in findings
        if finding.type is not FindingType.ADDITION
    )


def _mentions_word(finding: Finding, word: str) -> bool:
    # An open question or a configuration has no name of its own.
    pattern = rf"(?<!\w){re.escape(word)}(?!\w)" if word else r"\bconfig\b"
    return re.search(pattern, f"{finding.section} {finding.description}") is not None


def list_by_hand(edits: Collection[FactName], shown: Mapping[bytes, bytes]) -> Iterator[str]:
    """What people wrote of the declarations in these modules, for a prompt."""
    from git_retcon.allium.store.declared_facts import name_fact, read_facts

    there = {name for text in shown.values() for name in read_facts(text)}
    for name in sorted(there & set(edits)):
        yield f"- {name_fact(name)}"
