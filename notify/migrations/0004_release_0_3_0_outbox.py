import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Only the name of the model that the column points at has changed."""

    dependencies = [
        ('notify', '0003_release_0_3_0_mark_for_all'),
        ('outbox', '0001_release_0_3_0_outbox'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name='gatheredevent',
                    name='transition',
                    field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='outbox.event'),
                ),
            ],
        ),
    ]
