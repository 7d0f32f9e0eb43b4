from django.db import migrations, models

from foundation.database.migrating import AddIndexBesideWrites


class Migration(migrations.Migration):
    atomic = False  # PostgreSQL makes no index beside writes in a transaction

    dependencies = [
        ('targets', '0013_release_0_3_0_repairs'),
    ]

    operations = [
        AddIndexBesideWrites(
            model_name='target',
            index=models.Index(condition=models.Q(('replaced_by__isnull', False)), fields=['replaced_by'], name='target_replaced'),
        ),
    ]
