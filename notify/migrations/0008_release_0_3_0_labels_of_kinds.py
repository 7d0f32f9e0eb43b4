from django.db import migrations, models


class Migration(migrations.Migration):
    """Rename the choices `apprise` and `refused` for people."""

    dependencies = [
        ("notify", "0007_release_0_3_0_help_texts"),
    ]

    operations = [
        migrations.AlterField(
            model_name="channel",
            name="kind",
            field=models.CharField(
                choices=[
                    ("webhook", "Webhook"),
                    ("mail", "Email"),
                    ("apprise", "Apprise"),
                    ("feed", "Feed"),
                ],
                max_length=16,
            ),
        ),
        migrations.AlterField(
            model_name="delivery",
            name="state",
            field=models.CharField(
                choices=[
                    ("waiting", "waiting"),
                    ("delivered", "delivered"),
                    ("refused", "failed"),
                    ("skipped", "skipped"),
                ],
                default="waiting",
                max_length=16,
            ),
        ),
    ]
