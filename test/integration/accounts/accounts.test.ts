import { randomUUID } from 'node:crypto';
import { createHash, createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Account } from '@sightline/core/accounts/account';
import { ensureFirstAccount } from '@sightline/core/accounts/first-account';
import { PasswordHasher } from '@sightline/core/accounts/password-hasher';
import { TEST_COST } from '@sightline/core/accounts/testing/test-cost';
import { SessionAuthenticator } from '@sightline/core/accounts/session-authenticator';
import type { SignInCounters } from '@sightline/core/accounts/sign-in-counters';
import { SERVICE } from '@sightline/core/store/actor';
import { createOwnKey } from '@sightline/core/api-keys/create-own-key';
import { createToken } from '@sightline/core/accounts/secret-token';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

const BY_OWNERS = { mayCreate: 'owners' } as const;

let store: StoreFixture;

beforeAll(async () => {
  store = await openStoreFixture();
});
beforeEach(async () => {
  await store.query('DELETE FROM invitations; DELETE FROM keys; DELETE FROM members');
  await store.query('DELETE FROM sessions; DELETE FROM environments');
  await store.query('DELETE FROM accounts');
  await store.query('DELETE FROM sign_in_failures; DELETE FROM known_addresses');
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

const DRAFT = { name: 'Ada', isAdmin: false, passwordBy: 'owner', passwordHash: 'x' } as const;
const account = (changes: Partial<Account> = {}) =>
  store.accounts.insert({ ...DRAFT, email: `${randomUUID()}@example.org`, ...changes }, SERVICE);
const by = (accountId: string) => ({ accountId, requestId: 'request' });

describe('the first account', () => {
  test('is an administrator, and owns the environments that nobody owned', async () => {
    const { id } = await store.keys.environment(`old ${randomUUID()}`);
    const kept: string[] = [];
    const passwords = new PasswordHasher(TEST_COST);
    const deps = {
      accounts: store.accounts,
      passwords,
      keep: (password: string) => {
        kept.push(password);
        return Promise.resolve();
      },
    };
    const first = (await ensureFirstAccount(deps, null))!;
    expect(first.account).toMatchObject({ email: 'admin@localhost', isAdmin: true });
    expect(first.account.passwordBy).toBe('service');
    expect(kept).toEqual([first.password]);
    const { passwordHash } = (await store.accounts.byEmail('admin@localhost'))!;
    expect(await passwords.isPasswordOf(first.password!, passwordHash)).toBe(true);
    expect(await passwords.isPasswordOf(`${first.password}x`, passwordHash)).toBe(false);
    const owned = await store.environments.list(first.account.id);
    expect(owned.find((each) => each.id === id)).toMatchObject({ role: 'owner' });
    expect(await ensureFirstAccount(deps, null)).toBeNull();
    expect(kept).toHaveLength(1);
  });

  test('is one, however many processes create it', async () => {
    const attempts = Array.from({ length: 8 }, (_, i) =>
      store.accounts.insertFirst({ ...DRAFT, email: `${i}@example.org`, isAdmin: true }),
    );
    const created = (await Promise.all(attempts)).filter((each) => each !== null);
    expect(created).toHaveLength(1);
    expect(await store.accounts.list()).toEqual(created);
  });

  test('owns what the command finds and creates by name', async () => {
    const name = `named ${randomUUID()}`;
    const before = await store.keys.environment(name);
    const first = await store.accounts.insertFirst({ ...DRAFT, email: 'a@b.c', isAdmin: true });
    expect(await store.keys.environment(name)).toEqual(before);
    const made = await store.keys.environment(`${name} too`);
    expect(await store.environments.get(first!.id, made.id)).toMatchObject({ role: 'owner' });
    const other = await account();
    await store.environments.create(by(other.id), `${name} of another`);
    const own = await store.keys.environment(`${name} of another`);
    expect(await store.environments.get(first!.id, own.id)).toMatchObject({ role: 'owner' });
  });

  test('adopts what has no owner also if a command creates it', async () => {
    const { id } = await store.keys.environment(`old ${randomUUID()}`);
    const { id: accountId } = await account({ isAdmin: true });
    expect(await store.environments.get(accountId, id)).toMatchObject({ role: 'owner' });
  });

  test('keeps its environments by name when another account becomes the administrator', async () => {
    const name = `named ${randomUUID()}`;
    const first = await account({ isAdmin: true });
    const before = await store.keys.environment(name);
    await account({ isAdmin: true });
    await store.accounts.change(first.id, { isAdmin: false }, SERVICE);
    expect(await store.keys.environment(name)).toEqual(before);
  });

  test('is missed by no change of other accounts', async () => {
    const { id } = await account();
    const disabled = await store.accounts.change(id, { isDisabled: true }, SERVICE);
    expect(disabled).toMatchObject({ isDisabled: true });
  });

  test('cannot lose its rights while it is the only administrator, even if two lose theirs at once', async () => {
    const [one, two] = [await account({ isAdmin: true }), await account({ isAdmin: true })];
    const outcomes = await Promise.allSettled([
      store.accounts.change(one.id, { isAdmin: false }, SERVICE),
      store.accounts.change(two.id, { isDisabled: true }, SERVICE),
    ]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const left = (await store.accounts.list()).filter((each) => each.isAdmin && !each.isDisabled);
    expect(left).toHaveLength(1);
  });
});

describe('sessions', () => {
  const open = (accountId: string, hash: Uint8Array, passwordHash = 'x') =>
    store.sessions.open({
      accountId,
      passwordHash,
      hash,
      address: null,
      userAgent: null,
      requestId: 'request',
    });

  async function session() {
    const { id } = await account();
    const { token, hash } = createToken();
    await open(id, hash);
    const authenticate = () => new SessionAuthenticator(store.sessions).authenticate(token, null);
    return { accountId: id, token, hash, authenticate };
  }

  test('expire 7 days after the last use, and 30 days after their beginning', async () => {
    const { accountId, authenticate } = await session();
    expect((await authenticate()).account.id).toBe(accountId);
    const ages = [
      ["last_used_at = now() - interval '7 days 1 minute'"],
      ["last_used_at = now(), created_at = now() - interval '30 days 1 minute'"],
    ] as const;
    for (const [change] of ages) {
      await store.query(`UPDATE sessions SET ${change} WHERE account_id = $1`, [accountId]);
      await expect(authenticate()).rejects.toMatchObject({ code: 'unauthenticated' });
      expect(await store.sessions.list(accountId)).toEqual([]);
    }
    const { hash } = createToken();
    await open(accountId, hash);
    const [count] = await store.query<{ n: number }>('SELECT count(*) AS n FROM sessions');
    expect(count!.n).toBe(1);
  });

  test('are at most fifty of an account', async () => {
    const { accountId } = await session();
    for (let opened = 0; opened < 51; opened++) await open(accountId, createToken().hash);
    expect(await store.sessions.list(accountId)).toHaveLength(50);
  });

  test('live longer with each use', async () => {
    const { accountId, authenticate } = await session();
    const old = "now() - interval '6 days'";
    await store.query(`UPDATE sessions SET last_used_at = ${old} WHERE account_id = $1`, [
      accountId,
    ]);
    await authenticate();
    const lastUse = async () => (await store.sessions.list(accountId))[0]!.lastUsedAt.getTime();
    while (Date.now() - (await lastUse()) > 60_000);
  });

  test('are not stored as they are', async () => {
    const { token } = await session();
    const rows = await store.query<{ row: string }>('SELECT sessions::text AS row FROM sessions');
    expect(rows[0]!.row).not.toContain(token);
    expect(rows[0]!.row).not.toContain(Buffer.from(token).toString('hex'));
  });

  test('are refused within five seconds after their end, whatever a process remembers', async () => {
    const { accountId, token } = await session();
    const authenticator = new SessionAuthenticator(store.sessions);
    const { id } = await authenticator.authenticate(token, null);
    await store.sessions.end(accountId, id);
    const attempt = () => authenticator.authenticate(token, null);
    const end = performance.now() + 5_000;
    while (performance.now() < end && (await attempt().then(Boolean, () => false)));
    await expect(attempt()).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  test('begin in the default environment, else in that of the oldest membership', async () => {
    const { accountId, authenticate } = await session();
    expect((await authenticate()).membership).toBeNull();
    const one = await store.environments.create(by(accountId), 'one');
    const two = await store.environments.create(by(accountId), 'two');
    const own = { countedOwnerId: accountId, role: 'owner' };
    expect((await authenticate()).membership).toEqual({ ...own, environmentId: one.id });
    await store.accounts.changeProfile(accountId, { defaultEnvironmentId: two.id });
    expect((await authenticate()).membership).toEqual({ ...own, environmentId: two.id });
    await store.query('DELETE FROM members WHERE environment_id = $1', [two.id]);
    expect((await authenticate()).membership).toEqual({ ...own, environmentId: one.id });
  });
});

describe('a password', () => {
  test('that was replaced after it was checked opens no session, nor does a disabled account', async () => {
    const { id } = await account();
    const open = (passwordHash: string) => {
      const origin = { address: null, userAgent: null, requestId: 'request' };
      const { hash } = createToken();
      return store.sessions.open({ ...origin, accountId: id, passwordHash, hash });
    };
    expect(await open('x')).toBe(true);
    await store.accounts.change(id, { passwordHash: 'y' }, SERVICE);
    expect(await open('x')).toBe(false);
    expect(await open('y')).toBe(true);
    await store.accounts.change(id, { isDisabled: true }, SERVICE);
    expect(await open('y')).toBe(false);
    expect(await store.sessions.list(id)).toEqual([]);
  });

  test('that an administrator gave is not undone by a change that began before', async () => {
    const { id } = await account();
    const { hash } = createToken();
    const origin = { address: null, userAgent: null, requestId: 'request' };
    await store.sessions.open({ ...origin, accountId: id, passwordHash: 'x', hash });
    const [session] = await store.sessions.list(id);
    await store.accounts.change(id, { passwordHash: 'reset' }, SERVICE);
    const change = { before: 'x', hash: 'of a stranger', keptSession: session!.id, actor: SERVICE };
    expect(await store.accounts.replacePassword(id, change)).toBe(false);
    expect(await store.accounts.replacePassword(id, { ...change, before: 'reset' })).toBe(false);
    const found = await store.accounts.byId(id);
    expect(found).toMatchObject({ passwordHash: 'reset', passwordBy: 'administrator' });
  });

  test('is hashed for a few callers of one address at a time', async () => {
    const hasher = new PasswordHasher();
    const gate = Promise.withResolvers<undefined>();
    const waiting = Array.from({ length: 8 }, () => hasher.inTurn('a', () => gate.promise));
    const outcomes = Promise.allSettled(waiting);
    const other = hasher.inTurn('b', () => Promise.resolve('its turn'));
    gate.resolve(undefined);
    expect(await other).toBe('its turn');
    const refused = (await outcomes).filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(3);
    expect(await hasher.inTurn('a', () => Promise.resolve(1))).toBe(1);
  });
});

describe('failed sign-ins', () => {
  const EMAIL = 'ada@example.org';
  const keyed = (fill: number | null) =>
    store.signIns.keyed({ derive: () => (fill === null ? null : new Uint8Array(32).fill(fill)) });
  let signIns: SignInCounters;
  beforeEach(() => {
    signIns = keyed(1);
  });
  const fail = async (email: string, address: string, times: number) => {
    for (let i = 0; i < times; i++) await signIns.failed({ email, address }, 'request');
  };
  const mayTry = (email: string, address: string) => signIns.mayTry({ email, address });

  test('are limited to five of an e-mail address from one address, for ten minutes', async () => {
    await fail(EMAIL, 'a', 4);
    expect(await mayTry(EMAIL, 'a')).toBe(true);
    await fail(EMAIL, 'a', 1);
    expect(await mayTry(EMAIL, 'a')).toBe(false);
    expect(await mayTry(EMAIL, 'b')).toBe(true);
    expect(await mayTry('bob@example.org', 'a')).toBe(true);
    await store.query("UPDATE sign_in_failures SET at = now() - interval '10 minutes 1 second'");
    expect(await mayTry(EMAIL, 'a')).toBe(true);
    await fail(EMAIL, 'b', 1);
    const [count] = await store.query<{ n: number }>('SELECT count(*) AS n FROM sign_in_failures');
    expect(count!.n).toBe(1);
  });

  test('are limited to twenty from one address', async () => {
    for (let i = 0; i < 20; i++) await fail(`${i}@example.org`, 'a', 1);
    expect(await mayTry(EMAIL, 'a')).toBe(false);
    expect(await mayTry(EMAIL, 'b')).toBe(true);
  });

  test('of strangers do not lock out a person who has signed in from an address', async () => {
    await signIns.succeeded({ email: EMAIL, address: 'home' });
    for (let i = 0; i < 51; i++) await fail(EMAIL, `stranger ${i}`, 1);
    expect(await mayTry(EMAIL, 'somewhere else')).toBe(false);
    expect(await mayTry(EMAIL, 'home')).toBe(true);
  });

  test('of an account are forgotten when an operator unlocks it', async () => {
    await fail(EMAIL, 'a', 5);
    await fail('bob@example.org', 'b', 5);
    expect(await signIns.unlock(EMAIL)).toBe(5);
    expect(await mayTry(EMAIL, 'a')).toBe(true);
    expect(await mayTry('bob@example.org', 'b')).toBe(false);
  });

  test('are known by digests with the key of the installation, else with its identity', async () => {
    const digests = () =>
      store.query<{ email: string }>("SELECT encode(email, 'hex') AS email FROM sign_in_failures");
    await fail(EMAIL, 'a', 5);
    const [ofKey] = await digests();
    expect(await keyed(2).mayTry({ email: EMAIL, address: 'a' })).toBe(true);
    expect(await keyed(2).unlock(EMAIL)).toBe(0);
    await store.query('DELETE FROM sign_in_failures');
    signIns = keyed(null);
    await fail(EMAIL, 'a', 5);
    expect(await mayTry(EMAIL, 'a')).toBe(false);
    expect(await keyed(null).mayTry({ email: EMAIL, address: 'a' })).toBe(false);
    const [ofIdentity] = await digests();
    const plain = createHash('sha256').update(EMAIL).digest('hex');
    const [row] = await store.query<{ id: string }>('SELECT id FROM installation');
    const expected = createHmac('sha256', row!.id).update(EMAIL).digest('hex');
    expect(ofIdentity!.email).toBe(expected);
    expect([plain, expected]).not.toContain(ofKey!.email);
  });

  test('leave no readable address', async () => {
    await fail(EMAIL, '192.0.2.1', 1);
    const rows = await store.query<{ row: string }>(
      "SELECT encode(email, 'escape') || encode(address, 'escape') AS row FROM sign_in_failures",
    );
    expect(rows[0]!.row).not.toMatch(/ada|192/);
  });
});

describe('environments of an account', () => {
  test('that a process of an earlier release makes get an owner, and another name if theirs is taken', async () => {
    const { id } = await account({ isAdmin: true });
    await store.environments.create(by(id), 'default');
    await store.query(
      `INSERT INTO environments (name) VALUES ('default'), ('of an earlier release')`,
    );
    await store.accounts.change(id, { isAdmin: true }, SERVICE);
    const owned = await store.environments.list(id);
    expect(owned.map(({ name }) => name)).toEqual([
      'default',
      expect.stringMatching(/^default \(\d+\)$/),
      'of an earlier release',
    ]);
    expect(new Set(owned.map(({ role }) => role))).toEqual(new Set(['owner']));
  });

  test('have one name each, also if several requests take it at once', async () => {
    const { id } = await account();
    const made = await Promise.allSettled(
      Array.from({ length: 5 }, () => store.environments.create(by(id), 'same')),
    );
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const others = await Promise.all(
      ['b', 'c'].map((name) => store.environments.create(by(id), name)),
    );
    const renamed = await Promise.allSettled(
      others.map((each) => store.environments.rename({ ...by(id), environmentId: each.id }, 'd')),
    );
    expect(renamed.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    for (const outcome of [...made, ...renamed]) {
      if (outcome.status === 'rejected') {
        expect(outcome.reason).toMatchObject({ code: 'environment_exists' });
      }
    }
  });

  test('are at most a hundred', async () => {
    const { id } = await account();
    await store.query(
      `INSERT INTO environments (owner_id, name) SELECT $1, i::text FROM generate_series(1, 99) i`,
      [id],
    );
    const made = await Promise.allSettled(
      ['x', 'y', 'z'].map((name) => store.environments.create(by(id), name)),
    );
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

describe('members', () => {
  /** An environment with two owners. */
  async function shared() {
    const [one, two] = [await account(), await account()];
    const { id: environmentId } = await store.environments.create(by(one.id), 'shared');
    const actor = { ...by(one.id), environmentId };
    const { hash } = createToken();
    await store.invitations.invite(actor, { email: two.email, role: 'owner', hash, ...BY_OWNERS });
    expect(await store.invitations.accept(hash, by(two.id))).toBe(environmentId);
    return { environmentId, one, two };
  }

  test('always include an owner, even if all owners leave at once', async () => {
    const { environmentId, one, two } = await shared();
    const leave = ({ id: accountId }: Account) =>
      store.members.remove({ ...by(accountId), environmentId }, accountId, { keepsKeys: false });
    const outcomes = await Promise.allSettled([leave(one), leave(two)]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const left = await store.query<{ id: string; owner: string }>(
      'SELECT m.account_id AS id, e.owner_id AS owner FROM members m JOIN environments e ON true',
    );
    expect(left).toHaveLength(1);
    expect(left[0]!.owner).toBe(left[0]!.id);
  });

  test('who remove each other at once both act as owners, or not at all', async () => {
    const { environmentId, one, two } = await shared();
    const remove = (one: Account, { id }: Account) =>
      store.members.remove({ ...by(one.id), environmentId }, id, { keepsKeys: false });
    const outcomes = await Promise.allSettled([remove(one, two), remove(two, one)]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  test('leave no valid key, even if they make one while they are removed', async () => {
    for (let round = 0; round < 5; round++) {
      const { environmentId, one, two } = await shared();
      const make = (label: string) =>
        createOwnKey(store, {
          by: by(two.id),
          environmentId,
          label,
          right: 'read',
          expiresAt: null,
        }).catch(() => undefined);
      const actor = { ...by(one.id), environmentId };
      const removal =
        round % 2 === 0
          ? store.members.remove(actor, two.id, { keepsKeys: false })
          : store.accounts.change(two.id, { isDisabled: true }, SERVICE);
      await Promise.all([make('a'), make('b'), removal, make('c'), make('d')]);
      expect(await store.keys.listOfOwner(one.id)).toEqual([]);
    }
  });

  test('accept one invitation once, however many requests do', async () => {
    const one = await account();
    const { id: environmentId } = await store.environments.create(by(one.id), 'home');
    const { hash } = createToken();
    const email = 'new@example.org';
    const actor = { ...by(one.id), environmentId };
    await store.invitations.invite(actor, { email, role: 'editor', hash, ...BY_OWNERS });
    const person = { name: 'New', passwordHash: 'x', requestId: 'request' };
    const attempts = Array.from({ length: 5 }, () =>
      store.invitations.acceptAsNew(hash, { ...person, ...BY_OWNERS }),
    );
    const accepted = (await Promise.all(attempts)).filter((each) => each !== null);
    expect(accepted).toHaveLength(1);
    expect(await store.members.list(actor)).toHaveLength(2);
  });

  test('are not invited a second time, even by an invitation that was made before they came', async () => {
    const { environmentId, one, two } = await shared();
    const { hash } = createToken();
    await store.query(
      `INSERT INTO invitations (environment_id, email, role, hash, created_by, expires_at)
       VALUES ($1, $2, 'viewer', $3, $4, now() + interval '1 hour')`,
      [environmentId, two.email, hash, one.id],
    );
    const accepted = store.invitations.accept(hash, by(two.id));
    await expect(accepted).rejects.toMatchObject({ code: 'member_exists' });
    const actor = { ...by(one.id), environmentId };
    expect(await store.members.list(actor)).toMatchObject([{ role: 'owner' }, { role: 'owner' }]);
  });

  test('are not admitted by an invitation that has expired', async () => {
    const one = await account();
    const guest = await account();
    const { id: environmentId } = await store.environments.create(by(one.id), 'home');
    const actor = { ...by(one.id), environmentId };
    const { hash } = createToken();
    await store.invitations.invite(actor, {
      email: guest.email,
      role: 'editor',
      hash,
      ...BY_OWNERS,
    });
    await store.query("UPDATE invitations SET expires_at = now() - interval '1 second'");
    expect(await store.invitations.find(hash)).toBeNull();
    expect(await store.invitations.accept(hash, by(guest.id))).toBeNull();
    expect(await store.invitations.list(actor)).toEqual([]);
  });

  test('are invited by at most a hundred open invitations', async () => {
    const one = await account();
    const { id: environmentId } = await store.environments.create(by(one.id), 'home');
    await store.query(
      `INSERT INTO invitations (environment_id, email, role, hash, created_by, expires_at)
       SELECT $1, i || '@example.org', 'viewer', sha256(i::text::bytea), $2, now() + interval '1 hour'
       FROM generate_series(1, 100) i`,
      [environmentId, one.id],
    );
    const actor = { ...by(one.id), environmentId };
    const invite = (email: string) =>
      store.invitations.invite(actor, {
        email,
        role: 'viewer',
        hash: createToken().hash,
        ...BY_OWNERS,
      });
    await expect(invite('a@b.c')).rejects.toMatchObject({ code: 'limit_reached' });
    // A new link for a person who has one takes the place of the old one.
    expect(await invite('7@example.org')).toMatchObject({ email: '7@example.org' });
  });
});
