from django.db import migrations


class Migration(migrations.Migration):
    """The models have moved to `outbox`; their tables stay."""

    dependencies = [
        ('notify', '0004_release_0_3_0_outbox'),
        ('targets', '0004_release_0_3_0_own_period'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.DeleteModel(name='DeadLetter'),
                migrations.DeleteModel(name='Sink'),
                migrations.DeleteModel(name='Epoch'),
                migrations.DeleteModel(name='Transition'),
            ],
        ),
    ]
