import {
  EnvironmentExists,
  MOST_ENVIRONMENTS,
  TooManyEnvironments,
} from '@sightline/core/accounts/account-errors';
import type {
  EnvironmentStore,
  MemberEnvironment,
  OwnedRecord,
} from '@sightline/core/accounts/environment-store';
import { NotFound } from '@sightline/core/store/not-found';
import { and, asc, eq, ne, sql } from '../../drizzle.ts';
import type { Doors } from '../../doors/doors.ts';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import { environments } from '../../schema/environments.ts';
import { members } from '../../schema/members.ts';
import { lockAsOwner, lockOwner } from './lock-environment.ts';

const TABLES = { detection: 'detections', source: 'source_images' } as const;

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
          .where(eq(members.accountId, accountId))
          .orderBy(asc(environments.createdAt), asc(environments.id)),
      signal,
    );
  }

  async get(accountId: string, id: number, signal?: AbortSignal): Promise<MemberEnvironment> {
    return this.#doors.onPlatform(
      'accounts',
      (session) => requireMember(session, accountId, id),
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
           JOIN ${TABLES[kind]} r ON r.environment_id = m.environment_id AND r.id = $2
           WHERE m.account_id = $1`,
          [accountId, id],
        ),
      signal,
    );
    return found?.environmentId ?? null;
  }

  create(accountId: string, name: string): Promise<MemberEnvironment> {
    return this.#doors.withPlatform('accounts', async (session) => {
      const { db } = session;
      await lockOwner(session, accountId);
      const owned = await db.$count(environments, eq(environments.ownerId, accountId));
      if (owned >= MOST_ENVIRONMENTS) throw new TooManyEnvironments();
      const [created] = await db
        .insert(environments)
        .values({ ownerId: accountId, name })
        .onConflictDoNothing({ target: [environments.ownerId, environments.name] })
        .returning({
          id: environments.id,
          name: environments.name,
          createdAt: environments.createdAt,
        });
      if (created === undefined) throw new EnvironmentExists();
      await db.insert(members).values({ environmentId: created.id, accountId, role: 'owner' });
      return { ...created, role: 'owner' };
    });
  }

  rename(accountId: string, id: number, name: string): Promise<MemberEnvironment> {
    return this.#doors.withPlatform('accounts', async (session) => {
      const { ownerId } = await lockAsOwner(session, { accountId, environmentId: id });
      if (ownerId !== null) await lockOwner(session, ownerId);
      const { db } = session;
      const isTaken = and(
        sql`${environments.ownerId} is not distinct from ${ownerId}`,
        eq(environments.name, name),
        ne(environments.id, id),
      );
      if ((await db.$count(environments, isTaken)) > 0) throw new EnvironmentExists();
      await db.update(environments).set({ name }).where(eq(environments.id, id));
      return requireMember(session, accountId, id);
    });
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
    and(eq(members.accountId, accountId), eq(members.environmentId, id)),
  );
  if (found === undefined) throw new NotFound('environment', id);
  return found;
}
