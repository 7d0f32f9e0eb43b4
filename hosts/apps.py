from foundation import app


class HostsConfig(app.App):
    name = "hosts"
    scope, scope_label = "hosts", "Only hosts and aliases"
    rights_of_members = ("view_host", "view_alias")
