"""Current problems of the deployment, stored so that each is reported once."""

from typing import ClassVar

from django.db import models


class Trouble(models.Model):
    """A reported problem that continues or ended recently (see `status/deployment_problems.py`)."""

    kind = models.CharField(max_length=16, help_text="The kind of the event that reports it.")
    name = models.CharField(max_length=255, help_text="The part that is in trouble.")
    began_at = models.DateTimeField()
    seen_at = models.DateTimeField(help_text="When it was last seen.")

    class Meta:
        default_permissions = ()
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["kind", "name"], name="told_once_of_a_trouble")
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"
