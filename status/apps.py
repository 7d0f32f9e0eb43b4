from foundation import app


class StatusConfig(app.App):
    name = "status"
