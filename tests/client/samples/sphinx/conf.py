project = "Sample"
extensions = ["linkwatch_client.sphinx_extension"]
html_theme = "basic"
