"""The roles of people: each is the name of a group."""

from enum import StrEnum


class Role(StrEnum):
    """What a person may do. A user without a role is a service user, with its own rights."""

    MEMBER = "Members"
    VIEWER = "Viewers"
    OPERATOR = "Operators"

    @property
    def label(self) -> str:
        """The role in the singular, for one person."""
        return self.value.removesuffix("s")


CHOICES = [(role.value, role.label) for role in Role]
