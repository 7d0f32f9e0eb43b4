"""The certificate of a target's server, from the evidence of its newest checks."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from checker.models import CheckResult
from targets.flags import EXPIRES


@dataclass(frozen=True, slots=True)
class CertificateDetails:
    """A certificate as seen by a check; its text is untrusted."""

    issuer: str
    expires_at: datetime
    seen_at: datetime
    error: str  # a TLS error that the check tolerated, or empty
    expires_soon: bool  # whether the check raised the flag

    def tone(self, now: datetime) -> str:
        """Return the tone of a badge: `failure`, `inconclusive` or `success`."""
        if self.error or self.expires_at <= now:
            return "failure"
        return "inconclusive" if self.expires_soon else "success"


def certificate(results: Iterable[CheckResult]) -> CertificateDetails | None:
    """Return the first certificate in these results, or None; ignores malformed evidence."""
    for result in results:
        if (details := _read(result)) is not None:
            return details
    return None


def _read(result: CheckResult) -> CertificateDetails | None:
    evidence: Any = result.evidence
    tls = evidence.get("tls") if isinstance(evidence, Mapping) else None
    if not isinstance(tls, Mapping):
        return None
    try:
        expires_at = datetime.fromisoformat(str(tls.get("expires_at")))
    except ValueError:
        return None
    if expires_at.tzinfo is not UTC:  # a check writes UTC
        return None
    return CertificateDetails(
        issuer=str(tls.get("issuer") or ""),
        expires_at=expires_at,
        seen_at=result.checked_at,
        error=str(evidence.get("tls_error") or ""),
        expires_soon=EXPIRES in result.flags,
    )
