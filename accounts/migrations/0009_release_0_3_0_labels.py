from django.db import migrations


class Migration(migrations.Migration):
    """Name sign-ins and readers' settings as people write them."""

    dependencies = [
        ("accounts", "0008_release_0_3_0_help_texts"),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="providersignin",
            options={"default_permissions": (), "verbose_name": "provider sign-in"},
        ),
        migrations.AlterModelOptions(
            name="readersettings",
            options={"default_permissions": (), "verbose_name_plural": "reader settings"},
        ),
    ]
