from django.db import migrations, models

from foundation.database.migrating import AddIndexBesideWrites


class Migration(migrations.Migration):
    atomic = False  # PostgreSQL makes no index beside writes in a transaction

    dependencies = [
        ('snippets', '0002_release_0_3_0_sharing'),
    ]

    operations = [
        AddIndexBesideWrites(
            model_name='snippet',
            index=models.Index(condition=models.Q(('team__isnull', False)), fields=['team', 'created_at', 'id'], name='snippet_team_page'),
        ),
        AddIndexBesideWrites(
            model_name='snippet',
            index=models.Index(condition=models.Q(('for_everyone', True)), fields=['created_at', 'id'], name='snippet_everyones_page'),
        ),
    ]
