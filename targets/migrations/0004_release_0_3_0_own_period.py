from django.db import migrations, models

from foundation.database.migrating import AddIndexBesideWrites


class Migration(migrations.Migration):
    atomic = False  # PostgreSQL makes no index beside writes in a transaction

    dependencies = [
        ('targets', '0003_release_0_3_0_last_failed'),
    ]

    operations = [
        AddIndexBesideWrites(
            model_name='target',
            index=models.Index(condition=models.Q(('check_period__isnull', False), ('next_check_at__isnull', False), ('paused', False)), fields=['check_period', 'next_check_at'], name='target_own_period'),
        ),
    ]
