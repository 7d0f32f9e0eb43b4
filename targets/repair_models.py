"""The models of accepted repairs, which move references to the new address of a page."""

from datetime import datetime, timedelta
from typing import Any, Self

from django.conf import settings
from django.db import models

from accounts.actors import Actor
from foundation.database.ids import PublicIdField


class RepairQuerySet(models.QuerySet["Repair"]):
    def visible_to(self, actor: Actor) -> Self:
        """Return the repairs that the actor accepted, and those whose moved references include one
        that the actor may change.

        An actor that sees everything gets all repairs.
        """
        if actor.sees_all:
            return self
        moved = ReplacedReference.objects.filter(repair__isnull=False)
        moved = actor.reach(moved, owner="old__owner", to_change=True)
        own = models.Q(accepted_by=actor.user)
        if actor.owner is None:  # a service user may change most pairs: find one per repair
            first = moved.filter(repair=models.OuterRef("pk")).order_by().values("pk")[:1]
            return self.alias(moved=models.Subquery(first)).filter(
                own | models.Q(moved__isnull=False)
            )
        # The query above would read all pairs of repairs that moved none of the actor's references.
        return self.filter(own | models.Q(pk__in=moved.order_by().values("repair")))


class Repair(models.Model):
    """An accepted repair, which has moved references from one target to another.

    A daily task deletes it once it can no longer be undone. `old_url` and `new_url` are those of
    the day on which it was accepted. There is no foreign-key constraint on accounts, because
    processes of version 0.2.0 delete accounts without knowing about this table.
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
        help_text="Null: the deployment itself, or a deleted account.",
    )
    accepted_at = models.DateTimeField(db_index=True)
    reference_count = models.PositiveIntegerField(
        default=0, help_text="The number of references that it moved."
    )
    undone_at = models.DateTimeField(null=True)
    first_undone_at = models.DateTimeField(
        null=True, help_text="When it was first undone, at least for some of the references."
    )

    objects = RepairQuerySet.as_manager()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.old_url} → {self.new_url}"

    @property
    def undo_until(self) -> datetime:
        """The time until which the repair can be undone."""
        return self.accepted_at + self.UNDO_PERIOD


class ReplacedReference(models.Model):
    """A pair: a reference, and its twin at the new address, which notifications name instead.

    There are no foreign-key constraints on references, because processes of version 0.2.0 delete
    references without knowing about this table.
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
        help_text="Both are removed together: nobody has registered the new one separately."
    )
    repair = models.ForeignKey(
        Repair,
        on_delete=models.SET_NULL,
        null=True,
        related_name="replaced",
        help_text="Null: it can no longer be undone.",
    )

    occurrences: list[dict[str, Any]]  # of the old reference; set only by code that loads them

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.old_id} → {self.new_id}"
