import { settingChanged } from '@sightline/core/audit/setting-changed';
import type {
  SettingChange,
  SettingsReader,
  SettingsWriter,
  SystemSettings,
} from '@sightline/core/settings/settings-store';
import { SETTING_LABEL } from '@sightline/core/webhooks/webhook';
import type { Actor } from '@sightline/core/store/actor';
import type { Doors } from '../../doors/doors.ts';
import { eq, sql } from '../../drizzle.ts';
import { environmentSettings, systemSettings } from '../../schema/settings.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { ReadContext, WriteContext } from '../database/store-context.ts';

const REPLACED = {
  value: sql`excluded.value`,
  updatedAt: sql`now()`,
  changedBy: sql`excluded.changed_by`,
  changedWith: sql`excluded.changed_with`,
};

const CHANGE = 'key, updated_at AS at, changed_by AS "accountId", changed_with AS "keyId"';

type ChangeRow = SettingChange & { readonly key: string };

function authorOf(actor: Actor | undefined) {
  if (actor?.kind !== 'request') return { changedBy: null, changedWith: null };
  return { changedBy: actor.accountId, changedWith: actor.keyId };
}

function byKey(rows: readonly ChangeRow[]): ReadonlyMap<string, SettingChange> {
  return new Map(rows.map(({ key, ...change }) => [key, change]));
}

export function settingsReader(context: ReadContext): SettingsReader {
  return {
    async all() {
      // Raw SQL is used, because the query builder would parse a value that is a JSON string a second time.
      const rows = await context.session.prepared<{ key: string; value: unknown }>(
        'all-settings',
        `SELECT key, value FROM system_settings UNION ALL SELECT key, value FROM environment_settings
         UNION ALL SELECT '${SETTING_LABEL}', to_jsonb(url) FROM webhooks WHERE is_setting`,
        [],
      );
      return new Map(rows.map(({ key, value }) => [key, value]));
    },
    async changes() {
      const rows = await context.session.query<ChangeRow>(
        `SELECT ${CHANGE} FROM system_settings UNION ALL SELECT ${CHANGE} FROM environment_settings`,
        [],
      );
      return byKey(rows);
    },
  };
}

export function settingsWriter(context: WriteContext): SettingsReader & SettingsWriter {
  return {
    ...settingsReader(context),
    async put(key, value) {
      const { session, environmentId, actor } = context;
      if (value === null) {
        await session.db.delete(environmentSettings).where(eq(environmentSettings.key, key));
        return;
      }
      await session.db
        .insert(environmentSettings)
        .values({ environmentId, key, value, ...authorOf(actor) })
        .onConflictDoUpdate({
          target: [environmentSettings.environmentId, environmentSettings.key],
          set: REPLACED,
        });
    },
  };
}

export function systemSettingsStore(doors: Doors): SystemSettings {
  return {
    async all(signal) {
      const rows = await doors.onPlatform(
        'settings',
        ({ db }) => db.select().from(systemSettings),
        signal,
      );
      return new Map(rows.map(({ key, value }) => [key, value]));
    },

    async changes(signal) {
      const rows = await doors.onPlatform(
        'settings',
        (session) => session.query<ChangeRow>(`SELECT ${CHANGE} FROM system_settings`, []),
        signal,
      );
      return byKey(rows);
    },

    async put(key, value, { actor, signal } = {}) {
      await doors.withPlatform(
        'settings',
        async (session) => {
          const { db } = session;
          await (value === null
            ? db.delete(systemSettings).where(eq(systemSettings.key, key))
            : db
                .insert(systemSettings)
                .values({ key, value, ...authorOf(actor) })
                .onConflictDoUpdate({ target: systemSettings.key, set: REPLACED }));
          await recordAudit(session, { environmentId: null, actor }, settingChanged(key, value));
        },
        signal,
      );
    },
  };
}
