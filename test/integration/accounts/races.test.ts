import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { NO_PASSWORD } from '@sightline/core/accounts/login';
import { createToken } from '@sightline/core/accounts/secret-token';
import { SERVICE } from '@sightline/core/store/actor';
import pg from 'pg';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

const ORIGIN = { address: null, userAgent: null, requestId: 'request' };

let store: StoreFixture;

beforeAll(async () => {
  store = await openStoreFixture();
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

function newAccount(passwordHash: string) {
  const draft = { name: 'Ada', isAdmin: false, passwordBy: 'owner', passwordHash } as const;
  return store.accounts.insert({ ...draft, email: `${randomUUID()}@example.org` }, SERVICE);
}

/**
 * Runs work that waits for an account while another transaction changes it.
 *
 * @param changes statements, whose parameter $1 is the id of the account
 */
async function beside<T>(
  accountId: string,
  { changes, work }: { readonly changes: readonly string[]; readonly work: () => Promise<T> },
): Promise<T> {
  const other = new pg.Client(store.connection);
  await other.connect();
  try {
    await other.query('BEGIN');
    await other.query('SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [accountId]);
    for (const change of changes) await other.query(change, [accountId]);
    const result = work();
    const isWaiting = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
    while ((await store.query(isWaiting)).length === 0) await sleep(5);
    await other.query('COMMIT');
    return await result;
  } finally {
    await other.end();
  }
}

test('a login that is removed while it signs in opens no session', async () => {
  const login = { issuer: 'https://issuer.example', subject: randomUUID() };
  const email = `${randomUUID()}@example.org`;
  const { id: accountId } = await store.logins.signUp(login, { email, name: 'Ada', ...ORIGIN });
  const open = () => store.sessions.open({ ...ORIGIN, accountId, login, hash: createToken().hash });
  expect(await open()).toBe(true);
  const changes = ['DELETE FROM logins WHERE account_id = $1'];
  expect(await beside(accountId, { changes, work: open })).toBe(false);
});

test.each([
  ['whose session ends', ['DELETE FROM sessions WHERE account_id = $1']],
  ['that is disabled', ['UPDATE accounts SET is_disabled = true WHERE id = $1']],
  ['that gets another password', ["UPDATE accounts SET password_hash = 'z' WHERE id = $1"]],
])('an account %s while it changes its password keeps the password', async (_, changes) => {
  const { id: accountId } = await newAccount('x');
  const { hash } = createToken();
  await store.sessions.open({ ...ORIGIN, accountId, passwordHash: 'x', hash });
  const [session] = await store.sessions.list(accountId);
  const replacement = { before: 'x', hash: 'y', keptSession: session!.id, actor: SERVICE };
  const work = () => store.accounts.replacePassword(accountId, replacement);
  expect(await beside(accountId, { changes, work })).toBe(false);
  expect((await store.accounts.byId(accountId))!.passwordHash).not.toBe('y');
});

test('an account that an earlier release makes has no verified e-mail address', async () => {
  const [row] = await store.query<{ verified: boolean }>(
    `INSERT INTO accounts (email, name, password_hash, password_by, is_admin)
     VALUES ($1, 'Ada', $2, 'owner', false) RETURNING email_verified AS verified`,
    [`${randomUUID()}@example.org`, NO_PASSWORD],
  );
  expect(row).toEqual({ verified: false });
  expect(await newAccount('x')).toMatchObject({ emailVerified: true });
});
