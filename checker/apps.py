from foundation import app


class CheckerConfig(app.App):
    name = "checker"
    scope = "targets"  # checks are of targets
    rights_of_members = ("view_checkresult",)
