from foundation import app


class OutboxConfig(app.App):
    name = "outbox"
    rights_of_members = ("view_event",)
