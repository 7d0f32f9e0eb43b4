from foundation import app


class ArchivesConfig(app.App):
    name = "archives"
    counters = ("archive_requests", "archive_failures", "copies_found")
