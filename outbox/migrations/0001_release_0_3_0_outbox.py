import django.db.models.deletion
import uuid_utils.compat
from django.db import migrations, models


class Migration(migrations.Migration):
    """The models come from `targets`; their tables keep their names, and nothing is written."""

    dependencies = [
        ('targets', '0004_release_0_3_0_own_period'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name='Cursor',
                    fields=[
                        ('name', models.CharField(max_length=64, primary_key=True, serialize=False)),
                        ('position', models.BigIntegerField(help_text='All events up to here were accepted.')),
                        ('token', models.UUIDField(help_text='Of the relay that feeds it.', null=True)),
                        ('leased_until', models.DateTimeField(null=True)),
                        ('last_sent_at', models.DateTimeField(null=True)),
                        ('last_error', models.TextField(blank=True)),
                        ('last_error_at', models.DateTimeField(null=True)),
                        ('off_since', models.DateTimeField(help_text='No relay has its configuration any more; its history is kept.', null=True)),
                        ('sees_all', models.BooleanField(default=False, help_text='Gets every change of state, whatever EVENT_STATES says.')),
                    ],
                    options={
                        'verbose_name': 'sink',
                        'db_table': 'targets_sink',
                    },
                ),
                migrations.CreateModel(
                    name='Epoch',
                    fields=[
                        ('number', models.BigAutoField(primary_key=True, serialize=False)),
                        ('name', models.CharField(max_length=32, unique=True)),
                        ('began_at', models.DateTimeField()),
                        ('began_behind', models.BigIntegerField(help_text='Positions up to here mean what they meant in the one before.')),
                    ],
                    options={
                        'db_table': 'targets_epoch',
                        'default_permissions': (),
                    },
                ),
                migrations.CreateModel(
                    name='Event',
                    fields=[
                        ('id', models.UUIDField(default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False)),
                        ('kind', models.CharField(choices=[('state', 'state'), ('flag_raised', 'flag_raised'), ('flag_cleared', 'flag_cleared'), ('attention_needed', 'attention_needed'), ('attention_ended', 'attention_ended'), ('network_down', 'network_down'), ('network_back', 'network_back'), ('sink_behind', 'sink_behind'), ('disk_filling', 'disk_filling'), ('schedules_late', 'schedules_late'), ('link_ending', 'link_ending')], default='state', max_length=16)),
                        ('from_state', models.CharField(blank=True, choices=[('pending', 'pending'), ('alive', 'alive'), ('potentially_dead', 'potentially dead'), ('dead', 'dead')], max_length=16)),
                        ('to_state', models.CharField(blank=True, choices=[('pending', 'pending'), ('alive', 'alive'), ('potentially_dead', 'potentially dead'), ('dead', 'dead')], max_length=16)),
                        ('at', models.DateTimeField()),
                        ('payload', models.JSONField(help_text='What the event says, as it was in that transaction.')),
                        ('position', models.BigIntegerField(help_text='Place in the feed: dense, increasing, given on commit.', null=True, unique=True)),
                        ('quiet', models.BooleanField(db_default=False, default=False, help_text='It is history alone: nobody is notified, and the feed leaves it out.')),
                        ('target', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='transitions', to='targets.target')),
                    ],
                    options={
                        'verbose_name': 'transition',
                        'db_table': 'targets_transition',
                    },
                ),
                migrations.CreateModel(
                    name='DeadLetter',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('at', models.DateTimeField()),
                        ('error', models.TextField()),
                        ('send_again', models.BooleanField(default=False, help_text='The relay tries it once more.')),
                        ('sink', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='dead_letters', to='outbox.cursor')),
                        ('transition', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='dead_letters', to='outbox.event')),
                    ],
                    options={
                        'db_table': 'targets_deadletter',
                    },
                ),
                migrations.AddIndex(
                    model_name='event',
                    index=models.Index(fields=['target', 'at', 'id'], name='transition_page'),
                ),
                migrations.AddIndex(
                    model_name='event',
                    index=models.Index(condition=models.Q(('position__isnull', True)), fields=['at', 'id'], name='transition_unnumbered'),
                ),
                migrations.AddConstraint(
                    model_name='deadletter',
                    constraint=models.UniqueConstraint(fields=('sink', 'transition'), name='one_letter_per_event'),
                ),
            ],
        ),
    ]
