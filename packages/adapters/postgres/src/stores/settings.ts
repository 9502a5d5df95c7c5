import type {
  SettingsReader,
  SettingsWriter,
  SystemSettings,
} from '@sightline/core/settings/settings-store';
import type { Doors } from '../doors/doors.ts';
import type { ReadContext, WriteContext } from './store-context.ts';

export class PostgresSettingsReader implements SettingsReader {
  readonly #context: ReadContext;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  async all(): Promise<ReadonlyMap<string, unknown>> {
    const rows = await this.#context.session.query<{ key: string; value: unknown }>(
      'SELECT key, value FROM system_settings UNION ALL SELECT key, value FROM environment_settings',
    );
    return new Map(rows.map(({ key, value }) => [key, value]));
  }
}

export class PostgresSettingsWriter extends PostgresSettingsReader implements SettingsWriter {
  readonly #context: WriteContext;

  constructor(context: WriteContext) {
    super(context);
    this.#context = context;
  }

  async put(key: string, value: unknown): Promise<void> {
    const { session, environmentId } = this.#context;
    if (value === null) {
      await session.query('DELETE FROM environment_settings WHERE key = $1', [key]);
      return;
    }
    await session.query(
      `INSERT INTO environment_settings (environment_id, key, value) VALUES ($1, $2, $3)
       ON CONFLICT (environment_id, key) DO UPDATE SET value = excluded.value, updated_at = now()`,
      [environmentId, key, JSON.stringify(value)],
    );
  }
}

export class PostgresSystemSettings implements SystemSettings {
  readonly #doors: Doors;

  constructor(doors: Doors) {
    this.#doors = doors;
  }

  async put(key: string, value: unknown, signal?: AbortSignal): Promise<void> {
    const work =
      value === null
        ? { text: 'DELETE FROM system_settings WHERE key = $1', values: [key] }
        : {
            text: `INSERT INTO system_settings (key, value) VALUES ($1, $2)
                   ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = now()`,
            values: [key, JSON.stringify(value)],
          };
    await this.#doors.withPlatform(
      'settings',
      (session) => session.query(work.text, work.values),
      signal,
    );
  }
}
