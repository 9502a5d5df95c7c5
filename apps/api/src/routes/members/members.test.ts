import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { MemberRole } from '@sightline/core/accounts/account';
import { SERVICE } from '@sightline/core/store/actor';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type ApiServer, startApi } from '../../testing/api-server.ts';
import { type Browser, PASSWORD, People, type Person } from '../../testing/browser.ts';

let api: ApiServer;
let people: People;

beforeAll(async () => {
  api = await startApi(createMigratedDatabase);
  people = await People.of(api);
  await people.newAccount({ email: 'first@example.org', isAdmin: true });
});
afterAll(() => api[Symbol.asyncDispose]());

type Owner = Person & { readonly environment: number };

const pathOf = ({ environment }: Owner, rest: string) =>
  `/api/account/environments/${environment}/${rest}`;

/** Invites a person, and returns the secret of the link. */
async function invite(owner: Owner, email: string, role: MemberRole = 'editor'): Promise<string> {
  const made = await owner.browser.call(pathOf(owner, 'invitations'), { body: { email, role } });
  expect(made.status).toBe(201);
  return (made.body as { url: string }).url.split('#')[1]!;
}

const accept = (browser: Browser, token: string, further: object = {}) =>
  browser.call('/api/auth/invitations/accept', { body: { token, ...further } });

/** A person with a role in the environment of an owner. */
async function member(owner: Owner, role: MemberRole): Promise<Person> {
  const person = await people.signedIn();
  const { status } = await accept(person.browser, await invite(owner, person.account.email, role));
  expect(status).toBe(200);
  return person;
}

const rename = (owner: Owner, by: Person) =>
  by.browser.call(`/api/account/environments/${owner.environment}`, {
    method: 'PATCH',
    body: { name: 'other' },
  });

const within = (owner: Owner) => ({ 'X-Environment-Id': String(owner.environment) });

describe('an invitation', () => {
  test('is a link with a secret that is shown once, and makes a member', async () => {
    const owner = await people.settled();
    const guest = await people.signedIn();
    const given = { email: ` ${guest.account.email.toUpperCase()}`, role: 'viewer' };
    const made = await owner.browser.call(pathOf(owner, 'invitations'), { body: given });
    const { url, ...invitation } = made.body as { url: string; id: number; expires_at: string };
    expect(invitation).toEqual({
      id: expect.any(Number),
      email: guest.account.email,
      role: 'viewer',
      expires_at: expect.any(String),
    });
    const hours = (Date.parse(invitation.expires_at) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(71.9);
    expect(hours).toBeLessThan(72.1);
    expect(url).toMatch(new RegExp(`^${api.base}/console/invitation#[\\w-]{43}$`));
    const token = url.split('#')[1]!;
    const listed = await owner.browser.call(pathOf(owner, 'invitations'));
    expect(listed.body).toEqual({ items: [invitation] });
    expect(await accept(guest.browser, token)).toMatchObject({
      status: 200,
      body: { user: { id: guest.account.id }, environment_id: owner.environment },
    });
    expect((await guest.browser.call('/api/identities')).status).toBe(200);
    expect((await owner.browser.call(pathOf(owner, 'invitations'))).body.items).toEqual([]);
    expect(await accept(guest.browser, token)).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
    const members = await owner.browser.call(pathOf(owner, 'members'));
    expect(members.body.items).toMatchObject([
      { account_id: owner.account.id, role: 'owner' },
      { account_id: guest.account.id, email: guest.account.email, name: 'Ada', role: 'viewer' },
    ]);
    expect(JSON.stringify(api.log)).not.toContain(token);
  });

  test('creates an account, which is then signed in', async () => {
    const owner = await people.settled();
    const token = await invite(owner, 'newcomer@example.org', 'reviewer');
    const browser = people.browser();
    expect(await accept(browser, token)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    });
    expect((await accept(browser, token, { password: 'too short' })).status).toBe(400);
    const accepted = await accept(browser, token, { name: ' New ', password: PASSWORD });
    expect(accepted).toMatchObject({
      status: 200,
      body: {
        user: { email: 'newcomer@example.org', name: 'New', must_change_password: false },
        environment_id: owner.environment,
      },
    });
    expect((await browser.call('/api/auth/session')).body).toMatchObject({
      environment_id: owner.environment,
    });
    expect((await people.browser().signIn('newcomer@example.org')).status).toBe(200);
  });

  test('of an administrator alone vouches for the e-mail address', async () => {
    const verified = async (owner: Owner, email: string) => {
      const token = await invite(owner, email);
      const { body } = await accept(people.browser(), token, { password: PASSWORD });
      return (body as { user: { email_verified: boolean } }).user.email_verified;
    };
    const owner = await people.settled();
    const admin = await people.settled({ isAdmin: true });
    expect(await verified(owner, 'boss@example.org')).toBe(false);
    expect(await verified(admin, 'clerk@example.org')).toBe(true);
    const members = async () => {
      const { body } = await owner.browser.call(pathOf(owner, 'members'));
      return (body as { items: { account_id: string }[] }).items;
    };
    expect(await members()).toMatchObject([
      { email: owner.account.email, email_verified: true },
      { email: 'boss@example.org', email_verified: false },
    ]);
    const { account_id } = (await members())[1]!;
    const vouch = { method: 'PATCH', body: { email_verified: true } };
    const changed = await admin.browser.call(`/api/account/users/${account_id}`, vouch);
    expect(changed).toMatchObject({ status: 200, body: { email_verified: true } });
    expect((await members())[1]).toMatchObject({ email_verified: true });
  });

  test('of a new account is left to administrators by a setting, also if it was made before', async () => {
    const owner = await people.settled();
    const earlier = await invite(owner, 'earlier@example.org');
    const admin = await people.settled({ isAdmin: true });
    const guest = await people.signedIn();
    const key = 'system.invitations_of_new_accounts';
    const set = (value: string | null) =>
      admin.browser.call(`/api/settings/${key}`, { method: 'PUT', body: { value } });
    const email = 'later@example.org';
    expect((await set('administrators')).status).toBe(200);
    const refused = { status: 403, body: { code: 'forbidden' } };
    const body = { email, role: 'viewer' };
    expect(await owner.browser.call(pathOf(owner, 'invitations'), { body })).toMatchObject(refused);
    const browser = people.browser();
    expect(await accept(browser, earlier, { password: PASSWORD })).toMatchObject(refused);
    const known = await invite(owner, guest.account.email);
    expect((await accept(guest.browser, known)).status).toBe(200);
    const ofAdministrator = await invite(admin, email);
    expect((await accept(people.browser(), ofAdministrator, { password: PASSWORD })).status).toBe(
      200,
    );
    expect((await set(null)).status).toBe(200);
    expect((await accept(browser, earlier, { password: PASSWORD })).status).toBe(200);
  });

  test('is for one person', async () => {
    const owner = await people.settled();
    const guest = await people.signedIn();
    const token = await invite(owner, guest.account.email);
    const stranger = await people.signedIn();
    expect(await accept(stranger.browser, token)).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    });
    expect(await accept(people.browser(), token, { password: PASSWORD })).toMatchObject({
      status: 401,
      body: { code: 'unauthenticated' },
    });
    const reset = { passwordHash: 'of an administrator' };
    await api.stores.accounts.change(guest.account.id, reset, SERVICE);
    expect((await accept(guest.browser, token)).status).toBe(401);
  });

  test('cannot be accepted before a password of an administrator was changed', async () => {
    const owner = await people.settled();
    const guest = await people.signedIn({ passwordBy: 'administrator' });
    const token = await invite(owner, guest.account.email);
    expect(await accept(guest.browser, token)).toMatchObject({
      status: 403,
      body: { code: 'password_change_required' },
    });
  });

  test('ends when it expires, is revoked or replaced, and when its author is no owner any more', async () => {
    const owner = await people.settled();
    const guest = await people.signedIn();
    const { email } = guest.account;
    const replaced = await invite(owner, email);
    const revoked = await invite(owner, email);
    expect((await accept(guest.browser, replaced)).status).toBe(404);
    const [{ id }] = (await owner.browser.call(pathOf(owner, 'invitations'))).body.items as [
      { id: number },
    ];
    const stranger = await people.settled();
    const path = pathOf(owner, `invitations/${id}`);
    expect((await stranger.browser.call(path, { method: 'DELETE' })).status).toBe(404);
    const own = pathOf(stranger, `invitations/${id}`);
    expect((await stranger.browser.call(own, { method: 'DELETE' })).status).toBe(404);
    expect((await owner.browser.call(path, { method: 'DELETE' })).status).toBe(204);
    expect((await owner.browser.call(path, { method: 'DELETE' })).status).toBe(404);
    expect((await accept(guest.browser, revoked)).status).toBe(404);
    const second = { ...(await member(owner, 'owner')), environment: owner.environment };
    const ofSecond = await invite(second, email);
    const demotion = { method: 'PATCH', body: { role: 'editor' } };
    await owner.browser.call(pathOf(owner, `members/${second.account.id}`), demotion);
    expect((await accept(guest.browser, ofSecond)).status).toBe(404);
  });

  test('to a member is refused', async () => {
    const owner = await people.settled();
    const guest = await member(owner, 'viewer');
    const { email } = guest.account;
    const refused = { status: 409, body: { code: 'member_exists' } };
    const body = { email, role: 'owner' };
    expect(await owner.browser.call(pathOf(owner, 'invitations'), { body })).toMatchObject(refused);
  });

  test.each(['', 'x', 'a'.repeat(43), 'a'.repeat(100)])('is not guessed: %j', async (token) => {
    const answer = await accept(people.browser(), token, { password: PASSWORD });
    expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  test.each([
    [{ email: 'no address', role: 'viewer' }],
    [{ email: 'a@b.c', role: 'administrator' }],
    [{ email: 'a@b.c' }],
  ])('needs an e-mail address and a role: %j', async (body) => {
    const owner = await people.settled();
    const answer = await owner.browser.call(pathOf(owner, 'invitations'), { body });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });
});

describe('members', () => {
  const MAY: readonly [MemberRole, readonly [number, number, number, number]][] = [
    ['viewer', [200, 403, 403, 403]],
    ['reviewer', [200, 404, 403, 403]],
    ['editor', [200, 404, 404, 403]],
    ['owner', [200, 404, 404, 200]],
  ];
  test.each(MAY)('who are %s may do what the role allows', async (role, statuses) => {
    const owner = await people.settled();
    const { browser } = await member(owner, role);
    const headers = within(owner);
    const answers = [
      await browser.call('/api/stats', { headers }),
      await browser.call('/api/review/7/reject', { method: 'POST', headers }),
      await browser.call('/api/detections/7', { method: 'DELETE', headers }),
      await browser.call('/api/webhooks', { headers }),
    ];
    expect(answers.map(({ status }) => status)).toEqual(statuses);
    const isOwner = role === 'owner';
    expect((await browser.call(pathOf(owner, 'members'))).status).toBe(isOwner ? 200 : 403);
    expect((await browser.call(pathOf(owner, 'invitations'))).status).toBe(isOwner ? 200 : 403);
    const body = { environment_id: owner.environment, label: 'a', type: 'read' };
    expect((await browser.call('/api/account/keys', { body })).status).toBe(isOwner ? 201 : 403);
  });

  test('see and change nothing of environments of others', async () => {
    const owner = await people.settled();
    const stranger = await people.settled();
    const { account } = owner;
    const calls = [
      ['members', { method: 'GET' }],
      ['invitations', { method: 'GET' }],
      ['invitations', { body: { email: 'a@b.c', role: 'owner' } }],
      [`members/${account.id}`, { method: 'PATCH', body: { role: 'viewer' } }],
      [`members/${account.id}`, { method: 'DELETE' }],
      [`members/${stranger.account.id}`, { method: 'DELETE' }],
    ] as const;
    for (const [rest, call] of calls) {
      expect(await stranger.browser.call(pathOf(owner, rest), call)).toMatchObject({
        status: 404,
        body: { detail: `There is no environment ${owner.environment}.` },
      });
    }
    const own = pathOf(stranger, `members/${account.id}`);
    expect((await stranger.browser.call(own, { method: 'DELETE' })).status).toBe(404);
  });

  test('with another role have its rights at once', async () => {
    const owner = await people.settled();
    const editor = await member(owner, 'editor');
    const path = pathOf(owner, `members/${editor.account.id}`);
    const change = (role: MemberRole) =>
      owner.browser.call(path, { method: 'PATCH', body: { role } });
    expect((await rename(owner, editor)).status).toBe(403);
    expect(await change('owner')).toMatchObject({ status: 200, body: { role: 'owner' } });
    expect((await rename(owner, editor)).status).toBe(200);
    expect(await change('viewer')).toMatchObject({ status: 200, body: { role: 'viewer' } });
    const headers = within(owner);
    const deletion = await editor.browser.call('/api/detections/7', { method: 'DELETE', headers });
    expect(deletion.status).toBe(403);
    expect((await owner.browser.call(path, { method: 'DELETE' })).status).toBe(204);
    expect((await editor.browser.call('/api/stats', { headers })).status).toBe(404);
    expect((await owner.browser.call(path, { method: 'DELETE' })).status).toBe(404);
    expect((await change('viewer')).status).toBe(404);
  });

  test('may leave, but not the last owner who can sign in', async () => {
    const owner = await people.settled();
    const viewer = await member(owner, 'viewer');
    const second = await member(owner, 'owner');
    const leave = ({ account, browser }: Person) =>
      browser.call(pathOf(owner, `members/${account.id}`), { method: 'DELETE' });
    const lower = { method: 'PATCH', body: { role: 'editor' } };
    await api.stores.accounts.change(second.account.id, { isDisabled: true }, SERVICE);
    const refused = { status: 409, body: { code: 'last_owner' } };
    expect(await leave(owner)).toMatchObject(refused);
    const own = pathOf(owner, `members/${owner.account.id}`);
    expect(await owner.browser.call(own, lower)).toMatchObject(refused);
    expect((await leave(viewer)).status).toBe(204);
    expect((await owner.browser.call(pathOf(owner, 'members'))).body.items).toHaveLength(2);
  });

  test('who create an environment pass it on when they leave, if its name is free there', async () => {
    const owner = await people.settled();
    const heir = await people.settled();
    const token = await invite(owner, heir.account.email, 'owner');
    await accept(heir.browser, token);
    const own = pathOf(owner, `members/${owner.account.id}`);
    const leave = () => owner.browser.call(own, { method: 'DELETE' });
    // Both environments have the name "home".
    expect(await leave()).toMatchObject({ status: 409, body: { code: 'environment_exists' } });
    expect((await owner.browser.call(pathOf(owner, 'members'))).status).toBe(200);
    await rename(owner, heir);
    expect((await leave()).status).toBe(204);
    expect((await owner.browser.call('/api/account/environments')).body.items).toEqual([]);
    const again = await heir.browser.call('/api/account/environments', { body: { name: 'other' } });
    expect(again).toMatchObject({ status: 409, body: { code: 'environment_exists' } });
    expect(
      (await owner.browser.call('/api/account/environments', { body: { name: 'other' } })).status,
    ).toBe(201);
  });

  test('lose the keys that they made, unless an owner takes them over', async () => {
    const owner = await people.settled();
    const keyOf = async ({ browser }: Person) => {
      const body = { environment_id: owner.environment, label: 'camera', type: 'read' };
      return (await browser.call('/api/account/keys', { body })).body as {
        id: number;
        key: string;
      };
    };
    const first = await keyOf(owner);
    const [leaving, staying] = [await member(owner, 'owner'), await member(owner, 'owner')];
    await keyOf(leaving);
    const kept = await keyOf(staying);
    const path = (person: Person) => pathOf(owner, `members/${person.account.id}`);
    expect((await owner.browser.call(path(leaving), { method: 'DELETE' })).status).toBe(204);
    const own = `${path(staying)}?keep_keys=true`;
    expect(await staying.browser.call(own, { method: 'DELETE' })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    });
    const lower = { method: 'PATCH', body: { role: 'editor' } };
    expect((await owner.browser.call(own, lower)).status).toBe(200);
    const { items } = (await owner.browser.call('/api/account/keys')).body;
    expect(items).toMatchObject([
      { id: kept.id, created_by: { account_id: owner.account.id } },
      { id: first.id },
    ]);
    expect(
      (await fetch(`${api.base}/api/stats`, { headers: { 'X-API-Key': kept.key } })).status,
    ).toBe(200);
  });

  test('who are disabled change nothing more, although a process remembers their sessions', async () => {
    const owner = await people.settled();
    const editor = await member(owner, 'editor');
    expect((await owner.browser.call(pathOf(owner, 'members'))).status).toBe(200);
    await api.stores.accounts.change(owner.account.id, { isDisabled: true }, SERVICE);
    const calls = [
      [pathOf(owner, 'invitations'), { body: { email: 'a@b.c', role: 'owner' } }],
      [pathOf(owner, `members/${editor.account.id}`), { method: 'PATCH', body: { role: 'owner' } }],
      [pathOf(owner, `members/${editor.account.id}`), { method: 'DELETE' }],
      [pathOf(owner, 'invitations/7'), { method: 'DELETE' }],
      ['/api/account/environments', { body: { name: 'another' } }],
      [`/api/account/environments/${owner.environment}`, { method: 'DELETE' }],
    ] as const;
    for (const [path, call] of calls) {
      expect(await owner.browser.call(path, call)).toMatchObject({
        status: 401,
        body: { code: 'unauthenticated' },
      });
    }
  });

  test('who created the environment may leave it with a lower role while all owners are disabled', async () => {
    const creator = await people.settled();
    const owner = await member(creator, 'owner');
    const own = pathOf(creator, `members/${creator.account.id}`);
    const lower = { method: 'PATCH', body: { role: 'editor' } };
    expect((await owner.browser.call(own, lower)).status).toBe(200);
    await api.stores.accounts.change(owner.account.id, { isDisabled: true }, SERVICE);
    expect((await creator.browser.call(own, { method: 'DELETE' })).status).toBe(204);
  });

  test("leave no administrator's key by being taken over", async () => {
    const owner = await people.settled();
    const administrator = await people.signedIn({ isAdmin: true });
    const token = await invite(owner, administrator.account.email, 'owner');
    await accept(administrator.browser, token);
    const body = { environment_id: owner.environment, label: 'a', type: 'full' };
    const isAdmin = async ({ browser }: Person) => {
      const { key } = (await browser.call('/api/account/keys', { body })).body as { key: string };
      return async () => (await api.stores.keys.byPrefix(key.slice(0, 16)))[0]!.isAdmin;
    };
    const [ofOwner, ofAdministrator] = [await isAdmin(owner), await isAdmin(administrator)];
    const path = pathOf(owner, `members/${owner.account.id}?keep_keys=true`);
    expect((await administrator.browser.call(path, { method: 'DELETE' })).status).toBe(204);
    expect([await ofOwner(), await ofAdministrator()]).toEqual([false, true]);
  });

  test('keep their keys with a higher role', async () => {
    const owner = await people.settled();
    const second = await member(owner, 'owner');
    const body = { environment_id: owner.environment, label: 'camera', type: 'read' };
    await second.browser.call('/api/account/keys', { body });
    const same = { method: 'PATCH', body: { role: 'owner' } };
    await owner.browser.call(pathOf(owner, `members/${second.account.id}`), same);
    expect((await owner.browser.call('/api/account/keys')).body.items).toHaveLength(1);
  });
});

describe('an owner', () => {
  test('is appointed by an administrator where all owners are disabled', async () => {
    const owner = await people.settled();
    const editor = await member(owner, 'editor');
    const administrator = await people.signedIn({ isAdmin: true });
    const appoint = (accountId: string, by: Person = administrator) =>
      by.browser.call(pathOf(owner, 'owner'), { body: { account_id: accountId } });
    expect(await appoint(editor.account.id)).toMatchObject({
      status: 409,
      body: { code: 'owner_exists' },
    });
    await api.stores.accounts.change(owner.account.id, { isDisabled: true }, SERVICE);
    expect(await appoint(editor.account.id, editor)).toMatchObject({
      status: 403,
      body: { code: 'admin_required' },
    });
    expect((await appoint('7')).status).toBe(404);
    expect((await appoint(owner.account.id)).status).toBe(404);
    expect(await appoint(editor.account.id)).toMatchObject({
      status: 200,
      body: { account_id: editor.account.id, role: 'owner' },
    });
    expect((await editor.browser.call(pathOf(owner, 'members'))).status).toBe(200);
    expect((await appoint(administrator.account.id)).status).toBe(409);
    const nowhere = { body: { account_id: editor.account.id } };
    const path = '/api/account/environments/999999/owner';
    expect((await administrator.browser.call(path, nowhere)).status).toBe(404);
  });
});
