import django.db.models.deletion
import foundation.database.ids
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('targets', '0012_release_0_3_0_copies'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Repair',
            fields=[
                ('id', foundation.database.ids.PublicIdField(kind='repair', primary_key=True, serialize=False)),
                ('old_target', foundation.database.ids.PublicIdField(db_index=True, kind='target')),
                ('old_url', models.TextField()),
                ('new_target', foundation.database.ids.PublicIdField(db_index=True, kind='target')),
                ('new_url', models.TextField()),
                ('accepted_at', models.DateTimeField(db_index=True)),
                ('reference_count', models.PositiveIntegerField(default=0, help_text='That it moved.')),
                ('undone_at', models.DateTimeField(null=True)),
            ],
            options={
                'default_permissions': (),
            },
        ),
        migrations.CreateModel(
            name='ReplacedReference',
            fields=[
                ('old', models.OneToOneField(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, primary_key=True, related_name='replacement', serialize=False, to='targets.reference')),
                ('is_tied', models.BooleanField(help_text='Ending one ends the other: nobody has registered the new one by its address.')),
            ],
            options={
                'default_permissions': (),
            },
        ),
        migrations.AddField(
            model_name='target',
            name='replaced_by',
            field=models.ForeignKey(db_constraint=False, db_index=False, editable=False, help_text='What watches the new address for all its references: it is checked rarely.', null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='targets.target'),
        ),
        migrations.AddField(
            model_name='repair',
            name='accepted_by',
            field=models.ForeignKey(db_constraint=False, help_text='Null: the deployment itself, or an account that is gone.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='replacedreference',
            name='new',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='targets.reference'),
        ),
        migrations.AddField(
            model_name='replacedreference',
            name='repair',
            field=models.ForeignKey(help_text='Null: final.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='replaced', to='targets.repair'),
        ),
    ]
