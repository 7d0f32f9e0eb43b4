"""Findings about links, each with the place of its link."""

from dataclasses import dataclass, field
from enum import Enum


class FindingRule(Enum):
    """The kind of a finding: `id` is the rule's id in SARIF reports, `title` a short headline."""

    DEAD = ("LW001", "dead", "Dead link", "The link is proven dead")
    MOVED = ("LW002", "moved", "Page moved", "The page has moved permanently")
    TAKEN_OVER = (
        *("LW003", "taken-over", "Domain parked or taken over"),
        "The domain is parked or belongs to someone else",
    )
    NEW_AND_FAILING = (
        *("LW004", "new-and-failing", "New link fails"),
        "The link is new in this change and fails",
    )
    FAILING = ("LW005", "failing", "Failing link", "The page does not respond as expected")
    NO_FILE = (
        *("LW006", "no-file", "File or section missing"),
        "The file or section that the link points to does not exist",
    )

    def __init__(self, id_: str, label: str, title: str, sentence: str) -> None:
        self.id = id_
        self.label = label
        self.title = title
        self.sentence = sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkPlace:
    """Where a link is.

    `file` is relative to the repository, if there is one; it may be the URL of a page, or empty.
    Lines and columns are counted from 1.
    """

    url: str
    file: str = ""
    line: int = 0  # 0: unknown
    column: int = 0  # 0: unknown
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Acceptance:
    """The reason why a bad link is accepted, and the date."""

    reason: str
    date: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkFinding:
    """A bad link, or a link worth a note."""

    place: LinkPlace
    canonical_url: str
    rule: FindingRule
    is_error: bool
    verdict: str  # a sentence
    since: str = ""
    suggestion: str = ""
    new_address: str = ""
    is_new: bool = False
    accepted: Acceptance | None = None

    @property
    def fails(self) -> bool:
        """Whether the finding fails the run."""
        return self.is_error and self.accepted is None


@dataclass(slots=True, kw_only=True)
class ScanReport:
    """The result of a run: findings, counts, and sentences about what was not done."""

    findings: list[LinkFinding] = field(default_factory=list)
    link_count: int = 0
    file_count: int = 0
    watched_url_count: int = 0
    notices: list[str] = field(default_factory=list)

    @property
    def errors(self) -> list[LinkFinding]:
        """The findings that fail the run."""
        return [finding for finding in self.findings if finding.fails]
