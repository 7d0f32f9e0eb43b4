"""The kinds of events: changes of a target's state, and other events for subscriptions."""

from enum import StrEnum


class State(StrEnum):
    """The state of a target: `pending` has no result yet, `dead` has failed several checks."""

    PENDING = "pending"
    ALIVE = "alive"
    POTENTIALLY_DEAD = "potentially_dead"
    DEAD = "dead"

    @property
    def label(self) -> str:
        """The label for people, within a sentence."""
        return self.value.replace("_", " ")


class EventKind(StrEnum):
    """The kind of an event.

    Events of all kinds except STATE have no `from_state` and `to_state`, and only sinks with
    `sees_all` get them.
    """

    STATE = "state"
    # Events of a target: the payload of a change of state, with `flag` if the event is about a
    # flag.
    FLAG_RAISED = "flag_raised"
    FLAG_CLEARED = "flag_cleared"
    ATTENTION_NEEDED = "attention_needed"
    ATTENTION_ENDED = "attention_ended"
    ARCHIVED = "archived"  # with `copy`: a copy of a dead page was found in an archive
    REPAIRED = "repaired"  # with `moved_to` and `replaced_by`: references were moved
    # Events of the deployment. Payload: since, until, reason, set_aside (a number of checks).
    NETWORK_DOWN = "network_down"
    NETWORK_BACK = "network_back"
    # Payload: name (a sink, a disk's folder or `schedules`), detail (a sentence).
    SINK_BEHIND = "sink_behind"
    DISK_FILLING = "disk_filling"
    SCHEDULES_LATE = "schedules_late"
    # Payload: key, destination, ends_at, owner (id of a user, or null), team (likewise).
    LINK_ENDING = "link_ending"
    # Payload: name (of the batch), created_at, ended_at, counts, owner.
    BATCH_DONE = "batch_done"


DEPLOYMENT_KINDS = frozenset(
    {
        EventKind.NETWORK_DOWN,
        EventKind.NETWORK_BACK,
        EventKind.SINK_BEHIND,
        EventKind.DISK_FILLING,
        EventKind.SCHEDULES_LATE,
    }
)
OWNER_KINDS = frozenset({EventKind.LINK_ENDING, EventKind.BATCH_DONE})
TARGET_KINDS = frozenset(EventKind) - DEPLOYMENT_KINDS - OWNER_KINDS
