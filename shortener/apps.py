from foundation import app


class ShortenerConfig(app.App):
    name = "shortener"
    scope, scope_label = "shortener", "Only short links"
    counters = ("gone_pages",)  # notices of dead destinations
    rights_of_members = ("view_shorturl", "add_shorturl", "change_shorturl", "delete_shorturl")
