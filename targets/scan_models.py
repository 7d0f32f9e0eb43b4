"""Scans of repositories, and occurrences of references in documents."""

from typing import ClassVar

from django.conf import settings
from django.db import models

from foundation.database.ids import PublicIdField


class RepositoryScan(models.Model):
    """The last scan of some folders of a repository, and the current run.

    It has no constraint on its owner, because 0.2.0, which does not know this table, deletes
    accounts.
    """

    id = PublicIdField(kind="scan", primary_key=True)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        null=True,
        db_constraint=False,
        db_index=False,
        related_name="+",
        help_text="Whose references it registers. Null: nobody's.",
    )
    repository = models.CharField(max_length=200)
    scope = models.CharField(max_length=1000, help_text="Its folders and files, one on a line.")
    run = models.PositiveIntegerField(default=0, help_text="Raised by each run that begins.")
    known = models.PositiveIntegerField(default=0, help_text="References when the run began.")
    leased_until = models.DateTimeField(null=True, help_text="Null: no run is under way.")
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
    """The occurrences of a reference in its document: up to MAX_PLACES places with short texts.

    No constraint ties it to its reference: processes of 0.2.0, which do not know it, delete those.
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
    run = models.PositiveIntegerField(default=0, help_text="Of the scan that saw it last.")

    class Meta:
        default_permissions = ()
        indexes: ClassVar = [models.Index(fields=["scan", "run"], name="occurrences_of_scan")]

    def __str__(self) -> str:
        return str(self.reference_id)
