from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("notify", "0001_release_0_2_0")]

    operations = [
        migrations.AddField(
            model_name="delivery",
            name="for_all",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="Written for somebody who sees everything, not only what is their own.",
            ),
        ),
    ]
