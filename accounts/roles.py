"""The roles that people have: each is the name of a group."""

from enum import StrEnum


class Role(StrEnum):
    """What somebody may do; who has none is a service user, with rights of its own."""

    MEMBER = "Members"
    VIEWER = "Viewers"
    OPERATOR = "Operators"

    @property
    def label(self) -> str:
        """The role of one person."""
        return self.value.removesuffix("s")


CHOICES = [(role.value, role.label) for role in Role]
