import {
  EnvironmentExists,
  MOST_ENVIRONMENTS,
  TooManyEnvironments,
} from '@sightline/core/accounts/account-errors';
import type {
  EnvironmentStore,
  KnownEnvironment,
  MemberEnvironment,
  OwnedRecord,
} from '@sightline/core/accounts/environment-store';
import type { AccountActor } from '@sightline/core/accounts/account';
import type { MemberActor } from '@sightline/core/accounts/member-store';
import { NotFound } from '@sightline/core/store/not-found';
import { and, asc, eq, isNull } from '../../drizzle.ts';
import type { Doors } from '../../doors/doors.ts';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import { environmentDeletions, environments } from '../../schema/environments.ts';
import { members } from '../../schema/members.ts';
import { recordBy } from '../audit/record-audit.ts';
import { lockAble, lockAsOwner, lockOwner, requireFreeName } from './lock-environment.ts';
import { requestDeletion } from './request-deletion.ts';

const TABLES = { detection: 'detections', source: 'source_images' } as const;

/** Whether no owner has requested the deletion of the environment. */
const IS_PRESENT = isNull(environments.deletingSince);

const COLUMNS = {
  id: environments.id,
  name: environments.name,
  role: members.role,
  createdAt: environments.createdAt,
};

export class PostgresEnvironmentStore implements EnvironmentStore {
  readonly #doors: Doors;

  constructor(doors: Doors) {
    this.#doors = doors;
  }

  list(accountId: string, signal?: AbortSignal): Promise<readonly MemberEnvironment[]> {
    return this.#doors.onPlatform(
      'accounts',
      (session) =>
        environmentsOf(session)
          .where(and(eq(members.accountId, accountId), IS_PRESENT))
          .orderBy(asc(environments.createdAt), asc(environments.id)),
      signal,
    );
  }

  async having(
    accountId: string,
    { kind, id }: OwnedRecord,
    signal?: AbortSignal,
  ): Promise<number | null> {
    const [found] = await this.#doors.onPlatform(
      'accounts',
      (session) =>
        session.query<{ environmentId: number }>(
          `SELECT m.environment_id AS "environmentId" FROM members m
           JOIN environments e ON e.id = m.environment_id AND e.deleting_since IS NULL
           JOIN ${TABLES[kind]} r ON r.environment_id = m.environment_id AND r.id = $2
           WHERE m.account_id = $1`,
          [accountId, id],
        ),
      signal,
    );
    return found?.environmentId ?? null;
  }

  create({ accountId, requestId }: AccountActor, name: string): Promise<MemberEnvironment> {
    return this.#doors.withPlatform('accounts', async (session) => {
      const { db } = session;
      await lockAble(session, accountId);
      const owned = await db.$count(environments, eq(environments.ownerId, accountId));
      if (owned >= MOST_ENVIRONMENTS) throw new TooManyEnvironments();
      const [created] = await db
        .insert(environments)
        .values({ ownerId: accountId, name })
        .onConflictDoNothing()
        .returning({
          id: environments.id,
          name: environments.name,
          createdAt: environments.createdAt,
        });
      if (created === undefined) throw new EnvironmentExists();
      await db.insert(members).values({ environmentId: created.id, accountId, role: 'owner' });
      const entry = { entity: 'environment', action: 'create', ids: [created.id] } as const;
      const by = { accountId, environmentId: created.id, requestId };
      await recordBy(session, by, entry);
      return { ...created, role: 'owner' };
    });
  }

  rename(by: MemberActor, name: string): Promise<MemberEnvironment> {
    const { accountId, environmentId: id } = by;
    return this.#doors.withPlatform('accounts', async (session) => {
      const { ownerId, name: before } = await lockAsOwner(session, by);
      if (before === name) return requireMember(session, accountId, id);
      if (ownerId !== null) await lockOwner(session, ownerId);
      await requireFreeName(session, { ownerId, name, environmentId: id });
      await session.db.update(environments).set({ name }).where(eq(environments.id, id));
      const entry = { entity: 'environment', action: 'rename', ids: [id] } as const;
      await recordBy(session, by, entry);
      return requireMember(session, accountId, id);
    });
  }

  async get(accountId: string, id: number, signal?: AbortSignal): Promise<KnownEnvironment> {
    const [found] = await this.#doors.onPlatform(
      'accounts',
      ({ db }) =>
        db
          .select({
            ...COLUMNS,
            deleting: { total: environmentDeletions.total, done: environmentDeletions.done },
          })
          .from(members)
          .innerJoin(environments, eq(environments.id, members.environmentId))
          .leftJoin(environmentDeletions, eq(environmentDeletions.environmentId, environments.id))
          .where(and(eq(members.accountId, accountId), eq(members.environmentId, id))),
      signal,
    );
    if (found === undefined) throw new NotFound('environment', id);
    return found;
  }

  delete(by: MemberActor): Promise<number> {
    return this.#doors.withPlatform('accounts', (session) => requestDeletion(session, by));
  }
}

function environmentsOf({ db }: TransactionSession) {
  return db
    .select(COLUMNS)
    .from(members)
    .innerJoin(environments, eq(environments.id, members.environmentId));
}

async function requireMember(
  session: TransactionSession,
  accountId: string,
  id: number,
): Promise<MemberEnvironment> {
  const [found] = await environmentsOf(session).where(
    and(eq(members.accountId, accountId), eq(members.environmentId, id), IS_PRESENT),
  );
  if (found === undefined) throw new NotFound('environment', id);
  return found;
}
