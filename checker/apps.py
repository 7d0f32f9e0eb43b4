from checker.engine.verdict_table import advise
from foundation import app
from targets import advice


class CheckerConfig(app.App):
    name = "checker"
    scope = "targets"  # checks are of targets
    rights_of_members = ("view_checkresult",)

    def ready(self) -> None:
        """Let targets say what to do, in the words of the table of verdicts."""
        advice.provide(advise)
