from foundation import app


class AgentsConfig(app.App):
    name = "agents"
