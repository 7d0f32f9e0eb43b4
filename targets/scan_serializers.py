"""JSON representations of scans of repositories."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers

from foundation.http.serializers import StrictSerializer
from targets.scan_models import RepositoryScan

MAX_RUN = 2**31 - 1
MAX_SCOPE_BYTES = 1000  # the scope is indexed
_SCAN = {
    "id": "sc_0350z0NL0MRifntkJXr5Is",
    "run": 7,
    "repository": "team/handbook",
    "paths": ["guide"],
    "commit": "8c2f0f3b0b6f4f8e9b8f2a4c7d1e5a6b9c0d1e2f",
    "committed_at": "2026-11-21T11:58:00Z",
    "known": 1300,
    "leased_until": "2026-11-21T12:02:00Z",
    "completed_at": "2026-11-20T12:00:00Z",
}


class ScanRunSerializer(StrictSerializer):
    """A run of a scan, as returned by `POST /v1/scans`."""

    id = serializers.CharField(max_length=64)
    run = serializers.IntegerField(min_value=1, max_value=MAX_RUN)


class NewScanSerializer(StrictSerializer):
    """The body of `POST /v1/scans`."""

    repository = serializers.CharField(
        max_length=200, help_text="The first part of the reference ids, `repository:path`."
    )
    paths = serializers.ListField(
        child=serializers.CharField(max_length=500, trim_whitespace=False),
        required=False,
        default=list,
        max_length=50,
        help_text="The folders and files to scan; if empty, the whole repository.",
    )
    commit = serializers.RegexField(
        "^[0-9a-f]{40,64}$", error_messages={"invalid": "Must be the full hash of a commit."}
    )
    committed_at = serializers.DateTimeField()

    def validate_paths(self, value: list[str]) -> list[str]:
        """Return the distinct paths, sorted."""
        paths = sorted(set(value))
        if not all(path.isprintable() for path in paths):
            raise serializers.ValidationError(
                "The paths contain characters that are not printable."
            )
        if len("\n".join(paths).encode()) > MAX_SCOPE_BYTES:
            raise serializers.ValidationError(
                f"The paths have more than {MAX_SCOPE_BYTES:,} bytes in total."
            )
        return paths


@extend_schema_serializer(examples=[OpenApiExample("A run", _SCAN)])
class ScanSerializer(serializers.Serializer[RepositoryScan]):
    """A scan of a repository, and its last run."""

    id = serializers.CharField()
    run = serializers.IntegerField(help_text="Identifies the run in later requests.")
    repository = serializers.CharField()
    paths = serializers.SerializerMethodField()
    commit = serializers.CharField()
    committed_at = serializers.DateTimeField()
    known = serializers.IntegerField(
        help_text="The number of references that the scan had when the run began."
    )
    leased_until = serializers.DateTimeField(
        allow_null=True,
        help_text=(
            "No other run for the repository can begin before this time; each request in the run "
            "extends it. Null if the run is over."
        ),
    )
    completed_at = serializers.DateTimeField(
        allow_null=True, help_text="When the last complete run finished."
    )

    def get_paths(self, scan: RepositoryScan) -> list[str]:
        """The folders and files; if empty, the whole repository."""
        return scan.scope.split("\n") if scan.scope else []


class ScanEndSerializer(StrictSerializer):
    """The body of `POST /v1/scans/{id}/finish`."""

    run = serializers.IntegerField(min_value=1, max_value=MAX_RUN)
    complete = serializers.BooleanField(
        help_text=(
            "Whether the run has seen all of the folders at this commit; if not, no references "
            "are removed."
        )
    )
    unread = serializers.ListField(
        child=serializers.CharField(max_length=1000, trim_whitespace=False),
        required=False,
        default=list,
        max_length=1000,
        help_text="Files that could not be read; their references are kept.",
    )
    confirm = serializers.BooleanField(
        required=False,
        default=False,
        help_text=("Whether more than a fifth of the references may be removed at once."),
    )


class ScanEndedSerializer(serializers.Serializer[Any]):
    """How many references were removed, and how many still have to be removed."""

    ended = serializers.IntegerField()
    remaining = serializers.IntegerField(help_text="If it is not 0, repeat the request.")
