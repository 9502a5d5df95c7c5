import type { KeyStore } from '@sightline/core/api-keys/key-store';
import { and, asc, desc, eq, isNull, sql } from '../../drizzle.ts';
import type { Doors } from '../../doors/doors.ts';
import { environments, keys } from '../../schema/environments.ts';
import { columnsWithout } from '../database/columns-without.ts';

const KEY_COLUMNS = columnsWithout(keys, 'hash');
const ENVIRONMENT_COLUMNS = columnsWithout(environments, 'ownerId');

export function keyStore(doors: Doors): KeyStore {
  return {
    async byPrefix(prefix, signal) {
      return doors.onPlatform(
        'accounts',
        ({ db }) => db.select().from(keys).where(eq(keys.prefix, prefix)).orderBy(asc(keys.id)),
        signal,
      );
    },

    async insert(key) {
      const [inserted] = await doors.onPlatform('accounts', ({ db }) =>
        db.insert(keys).values(key).returning(KEY_COLUMNS),
      );
      return inserted!;
    },

    async list() {
      return doors.onPlatform('accounts', ({ db }) =>
        db.select(KEY_COLUMNS).from(keys).orderBy(desc(keys.id)),
      );
    },

    async revoke(id) {
      const revoked = await doors.onPlatform('accounts', ({ db }) =>
        db
          .update(keys)
          .set({ revokedAt: sql`coalesce(${keys.revokedAt}, now())` })
          .where(eq(keys.id, id))
          .returning({ id: keys.id }),
      );
      return revoked.length > 0;
    },

    async touch(uses) {
      if (uses.size === 0) return;
      // Sorted ids keep two processes that update the same keys from deadlocking.
      const ids = [...uses.keys()].sort((a, b) => a - b);
      await doors.onPlatform('accounts', (session) =>
        session.query(
          `WITH uses AS (
             SELECT k.id, u.used_at
             FROM unnest($1::bigint[], $2::timestamptz[]) AS u (id, used_at)
             JOIN keys k ON k.id = u.id
             WHERE k.last_used_at IS NULL OR k.last_used_at < u.used_at
             ORDER BY k.id FOR UPDATE OF k
           )
           UPDATE keys k SET last_used_at = uses.used_at FROM uses WHERE k.id = uses.id`,
          [ids, ids.map((id) => uses.get(id)!.toISOString())],
        ),
      );
    },

    async environments() {
      return doors.onPlatform('accounts', ({ db }) =>
        db.select(ENVIRONMENT_COLUMNS).from(environments).orderBy(environments.id),
      );
    },

    async environment(name) {
      return doors.withPlatform('accounts', async ({ db }) => {
        const [created] = await db
          .insert(environments)
          .values({ name })
          .onConflictDoNothing({ target: [environments.ownerId, environments.name] })
          .returning(ENVIRONMENT_COLUMNS);
        if (created !== undefined) return created;
        const [present] = await db
          .select(ENVIRONMENT_COLUMNS)
          .from(environments)
          .where(and(isNull(environments.ownerId), eq(environments.name, name)));
        return present!;
      });
    },
  };
}
