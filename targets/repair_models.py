"""Rows of accepted repairs: references that followed a page to its new address."""

from datetime import datetime, timedelta
from typing import Any, Self

from django.conf import settings
from django.db import models

from accounts.actors import Actor
from foundation.database.ids import PublicIdField


class RepairQuerySet(models.QuerySet["Repair"]):
    def visible_to(self, by: Actor) -> Self:
        """Return the repairs that the actor accepted, or that moved references which the actor may
        see."""
        if by.sees_all:
            return self
        moved = ReplacedReference.objects.filter(repair__isnull=False)
        moved = by.reach(moved, owner="old__owner", to_change=True)
        own = models.Q(accepted_by=by.user)
        if by.owner is None:  # most pairs: finding one pair per repair is enough
            first = moved.filter(repair=models.OuterRef("pk")).order_by().values("pk")[:1]
            return self.alias(moved=models.Subquery(first)).filter(
                own | models.Q(moved__isnull=False)
            )
        # Not one pair per repair, which would walk all pairs of a repair that moved none of the
        # actor's references.
        return self.filter(own | models.Q(pk__in=moved.order_by().values("repair")))


class Repair(models.Model):
    """An accepted repair: references of one target move to another.

    It is kept as long as it can be undone. Its addresses do not change with the targets. It has no
    constraint on accounts, because 0.2.0, which does not know this table, deletes accounts.
    """

    UNDO_PERIOD = timedelta(days=30)

    id = PublicIdField(kind="repair", primary_key=True)
    old_target = PublicIdField(kind="target", db_index=True)
    old_url = models.TextField()
    new_target = PublicIdField(kind="target", db_index=True)
    new_url = models.TextField()
    accepted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        db_constraint=False,
        related_name="+",
        help_text="Null: the deployment itself, or an account that is gone.",
    )
    accepted_at = models.DateTimeField(db_index=True)
    reference_count = models.PositiveIntegerField(default=0, help_text="That it moved.")
    undone_at = models.DateTimeField(null=True)
    first_undone_at = models.DateTimeField(
        null=True, help_text="When somebody undid it, at least for their own references."
    )

    objects = RepairQuerySet.as_manager()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.old_url} → {self.new_url}"

    @property
    def undo_until(self) -> datetime:
        """Until when it can be undone."""
        return self.accepted_at + self.UNDO_PERIOD


class ReplacedReference(models.Model):
    """A reference replaced by its twin at the new address in notifications.

    No constraint ties it to references: processes of 0.2.0, which do not know it, delete those.
    """

    old = models.OneToOneField(
        "targets.Reference",
        on_delete=models.DO_NOTHING,
        primary_key=True,
        db_constraint=False,
        related_name="replacement",
    )
    new = models.ForeignKey(
        "targets.Reference", on_delete=models.DO_NOTHING, db_constraint=False, related_name="+"
    )
    is_tied = models.BooleanField(
        help_text="Ending one ends the other: nobody has registered the new one by its address."
    )
    repair = models.ForeignKey(
        Repair,
        on_delete=models.SET_NULL,
        null=True,
        related_name="replaced",
        help_text="Null: final.",
    )

    occurrences: list[dict[str, Any]]  # where its document has the link; only where it is loaded

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.old_id} → {self.new_id}"
