import django.db.models.deletion
import django.db.models.functions.comparison
from django.db import migrations, models


def tune_storage(apps, schema_editor):
    """On PostgreSQL, vacuum the queue's rows early: each lease leaves dead ones at its head."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(
            "ALTER TABLE hosts_slot SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01)"
        )


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='Host',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=255)),
                ('check_at', models.DateTimeField(blank=True, null=True)),
                ('fetch_at', models.DateTimeField(blank=True, null=True)),
                ('instructions', models.JSONField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name='Slot',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('is_alias', models.BooleanField()),
                ('key', models.CharField(help_text='The alias, or the name of the one host.', max_length=255)),
                ('not_before', models.DateTimeField(help_text='Asleep, or within its delay, until then.')),
                ('paused_until', models.DateTimeField(blank=True, help_text='By an operator.', null=True)),
                ('throttled_until', models.DateTimeField(blank=True, help_text='As its server asked, or by its own answers.', null=True)),
                ('delay', models.DurationField(blank=True, help_text='Pause after each lease; empty means HOST_DELAY.', null=True)),
                ('token', models.UUIDField(blank=True, null=True)),
                ('leased_until', models.DateTimeField(blank=True, null=True)),
                ('leased_host', models.CharField(blank=True, default='', max_length=255)),
                ('leased_for', models.CharField(blank=True, choices=[('check', 'check'), ('fetch', 'fetch')], default='', max_length=5)),
                ('lease_due', models.DateTimeField(blank=True, null=True)),
                ('check_ready_at', models.DateTimeField(blank=True, null=True)),
                ('fetch_ready_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'default_permissions': (),
                'indexes': [models.Index(condition=models.Q(('check_ready_at__isnull', False)), fields=['check_ready_at'], name='slot_check_ready'), models.Index(condition=models.Q(('fetch_ready_at__isnull', False)), fields=['fetch_ready_at'], name='slot_fetch_ready'), models.Index(condition=models.Q(('leased_until__isnull', False)), fields=['leased_until'], name='slot_leased_until'), models.Index(condition=models.Q(('paused_until__isnull', False)), fields=['paused_until'], name='slot_paused'), models.Index(condition=models.Q(('throttled_until__isnull', False)), fields=['throttled_until'], name='slot_throttled'), models.Index(condition=models.Q(('check_ready_at__isnull', True), ('delay__isnull', True), ('fetch_ready_at__isnull', True), ('is_alias', False), ('token__isnull', True)), fields=['not_before'], name='slot_idle')],
                'constraints': [models.UniqueConstraint(fields=('is_alias', 'key'), name='slot_key'), models.UniqueConstraint(condition=models.Q(('token__isnull', False)), fields=('token',), name='slot_token'), models.CheckConstraint(condition=models.Q(models.Q(('lease_due__isnull', True), ('leased_for', ''), ('leased_host', ''), ('leased_until__isnull', True), ('token__isnull', True)), models.Q(('leased_for__in', ['check', 'fetch']), ('leased_until__isnull', False), ('token__isnull', False)), _connector='OR'), name='slot_lease_is_whole')],
            },
        ),
        migrations.AddField(
            model_name='host',
            name='slot',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='hosts', to='hosts.slot'),
        ),
        migrations.CreateModel(
            name='Alias',
            fields=[
            ],
            options={
                'verbose_name_plural': 'aliases',
                'proxy': True,
                'indexes': [],
                'constraints': [],
            },
            bases=('hosts.slot',),
        ),
        migrations.AddIndex(
            model_name='host',
            index=models.Index(fields=['slot', 'check_at'], name='host_slot_check'),
        ),
        migrations.AddIndex(
            model_name='host',
            index=models.Index(condition=models.Q(('fetch_at__isnull', False)), fields=['slot', 'fetch_at'], name='host_slot_fetch'),
        ),
        migrations.AddIndex(
            model_name='host',
            index=models.Index(django.db.models.functions.comparison.Least(django.db.models.functions.comparison.Coalesce('check_at', 'fetch_at'), django.db.models.functions.comparison.Coalesce('fetch_at', 'check_at')), models.F('id'), name='host_next'),
        ),
        migrations.AddConstraint(
            model_name='host',
            constraint=models.UniqueConstraint(fields=('name',), name='host_name'),
        ),
        migrations.RunPython(tune_storage, migrations.RunPython.noop, elidable=False),
    ]
