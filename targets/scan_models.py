"""Scans of repositories, and occurrences of references in documents."""

from typing import ClassVar

from django.conf import settings
from django.db import models

from foundation.database.ids import PublicIdField


class RepositoryScan(models.Model):
    """A scan of a repository, or of some of its folders and files, with its current or last run.

    There is no foreign-key constraint on the owner, because processes of version 0.2.0 delete
    accounts without knowing about this table.
    """

    id = PublicIdField(kind="scan", primary_key=True)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        null=True,
        db_constraint=False,
        db_index=False,
        related_name="+",
        help_text="The owner of the references that it registers. Null: they have no owner.",
    )
    repository = models.CharField(max_length=200)
    scope = models.CharField(
        max_length=1000, help_text="Its folders and files, one per line; empty: all."
    )
    run = models.PositiveIntegerField(default=0, help_text="Incremented when a run begins.")
    known = models.PositiveIntegerField(
        default=0, help_text="Number of references of the scan when the run began."
    )
    leased_until = models.DateTimeField(null=True, help_text="Null: no run is in progress.")
    commit = models.CharField(max_length=64)
    committed_at = models.DateTimeField()
    begun_at = models.DateTimeField()
    completed_at = models.DateTimeField(null=True)

    class Meta:
        default_permissions = ()
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["repository", "scope"],
                name="one_scan_per_scope",
                condition=models.Q(owner__isnull=True),
            ),
            models.UniqueConstraint(
                fields=["owner", "repository", "scope"],
                name="one_scan_per_owner",
                condition=models.Q(owner__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.repository


class ReferenceOccurrences(models.Model):
    """The occurrences of a reference in its document: up to MAX_PLACES places with short excerpts.

    There is no foreign-key constraint on references, because processes of version 0.2.0 delete
    references without knowing about this table.
    """

    MAX_PLACES = 20

    reference = models.OneToOneField(
        "targets.Reference",
        on_delete=models.DO_NOTHING,
        primary_key=True,
        db_constraint=False,
        related_name="+",
    )
    places = models.JSONField()  # each with line, column (null if unknown) and text
    scan = models.ForeignKey(
        RepositoryScan, on_delete=models.SET_NULL, null=True, db_index=False, related_name="+"
    )
    run = models.PositiveIntegerField(
        default=0, help_text="The run of `scan` that last found the reference."
    )

    class Meta:
        default_permissions = ()
        indexes: ClassVar = [models.Index(fields=["scan", "run"], name="occurrences_of_scan")]

    def __str__(self) -> str:
        return str(self.reference_id)
