import { Forbidden } from '@sightline/core/access/access-errors';
import { TooManyKeys } from '@sightline/core/api-keys/key-errors';
import { type ApiKeyRecord, type KeyStore, MOST_KEYS } from '@sightline/core/api-keys/key-store';
import { type Actor, actorOf } from '@sightline/core/store/actor';
import { NotFound } from '@sightline/core/store/not-found';
import { and, asc, desc, eq, isNull, or, sql } from '../../drizzle.ts';
import type { Doors } from '../../doors/doors.ts';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import { accounts } from '../../schema/accounts.ts';
import { environments, keys } from '../../schema/environments.ts';
import { members } from '../../schema/members.ts';
import { lockAdministrators } from '../accounts/lock-administrators.ts';
import { lockEnvironment, lockOwner } from '../accounts/lock-environment.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { columnsWithout } from '../database/columns-without.ts';

const KEY_COLUMNS = {
  ...columnsWithout(keys, 'hash', 'isAdmin'),
  // An administrator's key is one only as long as the account that has it is an administrator.
  isAdmin: sql<boolean>`${keys.isAdmin} and coalesce(${accounts.isAdmin}, true)`,
  creator: accounts.name,
  countedOwnerId: sql<string | null>`(select o.id from environments e
    join accounts o on o.id = e.owner_id and not o.is_admin where e.id = ${keys.environmentId})`,
};
const ENVIRONMENT_COLUMNS = columnsWithout(environments, 'ownerId', 'deletingSince');

export function keyStore(doors: Doors): KeyStore {
  return {
    async byPrefix(prefix, signal) {
      const rows = await doors.onPlatform(
        'accounts',
        (session) =>
          keysOf(session, { hash: keys.hash })
            .where(and(eq(keys.prefix, prefix), IS_OF_ABLE_ACCOUNT, IS_IN_PRESENT_ENVIRONMENT))
            .orderBy(asc(keys.id)),
        signal,
      );
      return rows.map((row) => ({ ...toRecord(row), hash: row.hash }));
    },

    async insert({ actor, ...key }) {
      const createdBy = actor.kind === 'request' ? actor.accountId : null;
      return doors.withPlatform('accounts', async (session) => {
        const { environmentId } = key;
        await lockEnvironment(session, environmentId);
        const isAdmin =
          createdBy === null
            ? key.isAdmin
            : (await requireAbleOwner(session, createdBy, environmentId)) && key.right === 'full';
        const isOfThis = and(eq(keys.environmentId, environmentId), IS_VALID);
        if ((await session.db.$count(keys, isOfThis)) >= MOST_KEYS) throw new TooManyKeys();
        const [{ id }] = (await session.db
          .insert(keys)
          .values({ ...key, isAdmin, createdBy })
          .returning({ id: keys.id })) as [{ id: number }];
        const [inserted] = await keysOf(session).where(eq(keys.id, id));
        const details = { type: key.right };
        const entry = { entity: 'key', action: 'create', ids: [id], details } as const;
        await recordAudit(session, { environmentId, actor }, entry);
        return toRecord(inserted!);
      });
    },

    async list() {
      const rows = await doors.onPlatform('accounts', (session) =>
        keysOf(session).orderBy(desc(keys.id)),
      );
      return rows.map(toRecord);
    },

    async listOfOwner(accountId, signal) {
      const rows = await doors.onPlatform(
        'accounts',
        (session) =>
          keysOf(session)
            .where(and(isOwnedBy(accountId), IS_VALID, IS_IN_PRESENT_ENVIRONMENT))
            .orderBy(desc(keys.id)),
        signal,
      );
      return rows.map(toRecord);
    },

    async revokeAsOwner(by, id) {
      return doors.withPlatform('accounts', async (session) => {
        const revoked = await session.db
          .update(keys)
          .set({ revokedAt: sql`now()` })
          .where(and(eq(keys.id, id), isOwnedBy(by.accountId), isNull(keys.revokedAt)))
          .returning({ environmentId: keys.environmentId });
        await recordRevocation(session, { id, actor: actorOf(by), revoked });
        return revoked.length > 0;
      });
    },

    async revoke(id, actor) {
      return doors.withPlatform('accounts', async (session) => {
        const revoked = await session.db
          .update(keys)
          .set({ revokedAt: sql`now()` })
          .where(and(eq(keys.id, id), isNull(keys.revokedAt)))
          .returning({ environmentId: keys.environmentId });
        await recordRevocation(session, { id, actor, revoked });
        return revoked.length > 0 || (await session.db.$count(keys, eq(keys.id, id))) > 0;
      });
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
        db
          .select(ENVIRONMENT_COLUMNS)
          .from(environments)
          .where(isNull(environments.deletingSince))
          .orderBy(environments.id),
      );
    },

    async environment(name) {
      return doors.withPlatform('accounts', async (session) => {
        const { db } = session;
        await lockAdministrators(session);
        const [first] = await db
          .select({ id: accounts.id })
          .from(accounts)
          .orderBy(asc(accounts.createdAt), asc(accounts.id))
          .limit(1);
        const ownerId = first?.id ?? null;
        // Another request may give this name to an environment of the account at the same time.
        if (ownerId !== null) await lockOwner(session, ownerId);
        const isOwn = or(isNull(environments.ownerId), eq(environments.ownerId, ownerId ?? ''));
        const find = () =>
          db
            .select(ENVIRONMENT_COLUMNS)
            .from(environments)
            .where(and(isOwn, eq(environments.name, name), isNull(environments.deletingSince)))
            .orderBy(asc(environments.id));
        const [present] = await find();
        if (present !== undefined) return present;
        const [created] = await db
          .insert(environments)
          .values({ name, ownerId })
          .onConflictDoNothing()
          .returning(ENVIRONMENT_COLUMNS);
        if (created === undefined) return (await find())[0]!;
        if (ownerId !== null) {
          await db
            .insert(members)
            .values({ environmentId: created.id, accountId: ownerId, role: 'owner' });
        }
        return created;
      });
    },
  };
}

async function recordRevocation(
  session: TransactionSession,
  {
    id,
    actor,
    revoked,
  }: {
    readonly id: number;
    readonly actor: Actor;
    readonly revoked: readonly { readonly environmentId: number }[];
  },
): Promise<void> {
  const entry = { entity: 'key', action: 'delete', ids: [id] } as const;
  for (const { environmentId } of revoked) {
    await recordAudit(session, { environmentId, actor }, entry);
  }
}

/**
 * Requires that an account is an owner, and locks its role and its state until the end of the transaction, because who
 * loses them loses the keys, too. Returns whether the account is an administrator's.
 *
 * @throws NotFound if the account is no member of the environment; Forbidden if it is no owner
 */
async function requireAbleOwner(
  { db }: TransactionSession,
  accountId: string,
  environmentId: number,
): Promise<boolean> {
  const [found] = await db
    .select({ role: members.role, isAdmin: accounts.isAdmin })
    .from(members)
    .innerJoin(accounts, eq(accounts.id, members.accountId))
    .innerJoin(environments, eq(environments.id, members.environmentId))
    .where(
      and(
        eq(members.environmentId, environmentId),
        eq(members.accountId, accountId),
        eq(accounts.isDisabled, false),
        isNull(environments.deletingSince),
      ),
    )
    .for('share');
  if (found === undefined) throw new NotFound('environment', environmentId);
  if (found.role !== 'owner') {
    throw new Forbidden('Only an owner of the environment may create keys.');
  }
  return found.isAdmin;
}

const IS_OF_ABLE_ACCOUNT = sql`${accounts.isDisabled} is not true`;
const IS_IN_PRESENT_ENVIRONMENT = sql`exists (select from ${environments}
  where ${environments.id} = ${keys.environmentId} and ${environments.deletingSince} is null)`;
const IS_VALID = sql`${keys.revokedAt} is null
  and (${keys.expiresAt} is null or ${keys.expiresAt} > now())`;

function isOwnedBy(accountId: string) {
  return sql`exists (select from ${members} where ${members.environmentId} = ${keys.environmentId}
    and ${members.accountId} = ${accountId} and ${members.role} = 'owner')`;
}

/** Selects keys with the accounts that made them. */
function keysOf<Further extends object = object>(
  { db }: TransactionSession,
  further: Further = {} as Further,
) {
  return db
    .select({ ...KEY_COLUMNS, ...further })
    .from(keys)
    .leftJoin(accounts, eq(accounts.id, keys.createdBy));
}

function toRecord({
  createdBy,
  creator,
  ...key
}: Omit<ApiKeyRecord, 'createdBy'> & {
  readonly createdBy: string | null;
  readonly creator: string | null;
}): ApiKeyRecord {
  return {
    ...key,
    createdBy: createdBy === null ? null : { accountId: createdBy, name: creator! },
  };
}
