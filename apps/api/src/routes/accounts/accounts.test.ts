import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SERVICE } from '@sightline/core/store/actor';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type ApiServer, startApi } from '../../testing/api-server.ts';
import { type Browser, PASSWORD, People } from '../../testing/browser.ts';
import { photo } from '../../testing/people.ts';

let api: ApiServer;
let people: People;

beforeAll(async () => {
  api = await startApi(createMigratedDatabase);
  people = await People.of(api);
  await people.newAccount({ email: 'first@example.org', isAdmin: true });
});
afterAll(() => api[Symbol.asyncDispose]());

describe('sign-in', () => {
  test('begins a session, whose token is in the cookie alone', async () => {
    const account = await people.newAccount();
    const browser = people.browser();
    const { status, headers, body } = await browser.signIn(` ${account.email.toUpperCase()} `);
    expect(status).toBe(200);
    expect(body).toEqual({
      user: {
        id: account.id,
        email: account.email,
        email_verified: true,
        name: 'Ada',
        is_admin: false,
        disabled: false,
        must_change_password: false,
        created_at: account.createdAt.toISOString(),
      },
    });
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^sightline_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/,
      ),
    ]);
    const token = browser.cookie!.split('=')[1]!;
    expect(JSON.stringify(api.log)).not.toContain(token);
    expect(JSON.stringify(api.log)).not.toContain(PASSWORD);
    expect(await browser.call('/api/auth/session')).toMatchObject({
      status: 200,
      body: { user: { id: account.id }, environment_id: null },
    });
  });

  test('has one answer for unknown and disabled accounts and for wrong passwords', async () => {
    const account = await people.newAccount();
    const disabled = await people.newAccount();
    await api.stores.accounts.change(disabled.id, { isDisabled: true }, SERVICE);
    const attempts = [
      [account.email, 'wrong password'],
      [disabled.email, PASSWORD],
      ['unknown@example.org', PASSWORD],
    ] as const;
    const answers = [];
    for (const [email, password] of attempts) {
      const { status, headers, body } = await people.browser().signIn(email, password);
      expect(headers.getSetCookie()).toEqual([]);
      answers.push({ status, code: body.code, detail: body.detail });
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 401, code: 'invalid_credentials' });
  });

  test('is refused after five failures, even with the right password', async () => {
    const account = await people.newAccount();
    for (let i = 0; i < 5; i++) {
      expect((await people.browser().signIn(account.email, 'wrong password')).status).toBe(401);
    }
    const { status, headers, body } = await people.browser().signIn(account.email);
    expect({ status, code: body.code }).toEqual({ status: 429, code: 'rate_limited' });
    expect(headers.get('retry-after')).toBe('60');
  });

  test.each([
    [{ email: 'no address', password: PASSWORD }],
    [{ email: 'a@b', password: 7 }],
    [{ email: `${'a'.repeat(250)}@example.org`, password: PASSWORD }],
    [{ email: 'ada@example.org', password: 'x'.repeat(1000) }],
    [{ email: 'ada@example.org' }],
    [[]],
  ])('refuses what cannot be credentials: %j', async (body) => {
    const answer = await people.browser().call('/api/auth/sign-in/email', { body });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });

  test('takes a short body alone', async () => {
    const { account } = await people.signedIn();
    const password = 'x'.repeat(17 * 1024);
    expect(await people.browser().signIn(account.email, password)).toMatchObject({
      status: 413,
      body: { code: 'body_too_large' },
    });
  });

  test('of another site is refused, one of no site is not', async () => {
    const account = await people.newAccount();
    const body = { email: account.email, password: PASSWORD };
    const of = (headers: Readonly<Record<string, string>>) =>
      people.browser().call('/api/auth/sign-in/email', { body, headers });
    expect(await of({ 'Sec-Fetch-Site': 'cross-site' })).toMatchObject({
      status: 403,
      body: { code: 'cross_site' },
    });
    expect(await of({ 'Sec-Fetch-Site': 'none' })).toMatchObject({ status: 200 });
  });
});

describe('a session', () => {
  test('ends with its sign-out, and the browser forgets it', async () => {
    const { browser } = await people.signedIn();
    const before = browser.cookie!;
    const { status, headers } = await browser.call('/api/auth/sign-out', { method: 'POST' });
    expect(status).toBe(204);
    expect(headers.getSetCookie()[0]).toMatch(/^sightline_session=; Max-Age=0;/);
    expect(headers.get('clear-site-data')).toBe('"cache", "storage"');
    browser.cookie = before;
    expect(await browser.call('/api/auth/session')).toMatchObject({ status: 401 });
    expect((await browser.call('/api/auth/sign-out', { method: 'POST' })).status).toBe(204);
  });

  test('ends when somebody signs in where it is, unless the sign-in is refused', async () => {
    const { browser } = await people.signedIn();
    const { email } = await people.newAccount();
    const before = browser.cookie!;
    expect((await browser.signIn(email, 'another password')).status).toBe(401);
    const foreign = {
      body: { email, password: PASSWORD },
      headers: { 'Sec-Fetch-Site': 'cross-site' },
    };
    expect((await browser.call('/api/auth/sign-in/email', foreign)).status).toBe(403);
    expect((await browser.call('/api/account/me')).status).toBe(200);
    expect((await browser.signIn(email)).status).toBe(200);
    expect((await browser.call('/api/account/me')).body).toMatchObject({ email });
    browser.cookie = before;
    expect((await browser.call('/api/account/me')).status).toBe(401);
  });

  test('is begun and ended although the browser sends a second cookie, which no other request may have', async () => {
    const one = await people.settled();
    const other = await people.signedIn();
    const headers = { Cookie: `${one.browser.cookie}; ${other.browser.cookie}` };
    for (const path of ['/api/account/me', '/api/identities']) {
      expect((await one.browser.call(path, { headers })).status).toBe(401);
    }
    const invitation = { token: 'x', password: PASSWORD };
    const accept = { body: invitation, headers };
    const accepted = await people.browser().call('/api/auth/invitations/accept', accept);
    expect(accepted.status).toBe(401);
    const { email } = one.account;
    const again = { body: { email, password: PASSWORD }, headers };
    const signedIn = await people.browser().call('/api/auth/sign-in/email', again);
    expect(signedIn.status).toBe(200);
    const cookies = signedIn.headers.getSetCookie();
    expect(cookies.at(-1)).toMatch(/^sightline_session=[\w-]{43}; Max-Age=2592000; Path=\/; /);
    expect(cookies).toContain('sightline_session=; Max-Age=0; Path=/api');
    const out = { method: 'POST', headers };
    const signedOut = await people.browser().call('/api/auth/sign-out', out);
    expect(signedOut.status).toBe(204);
    expect(signedOut.headers.getSetCookie()).toContain('sightline_session=; Max-Age=0; Path=/api');
    for (const { browser } of [one, other]) {
      expect((await browser.call('/api/account/me')).status).toBe(401);
    }
    const [mine] = cookies.at(-1)!.split(';');
    const me = await people.browser().call('/api/account/me', { headers: { Cookie: mine! } });
    expect(me.status).toBe(200);
  });

  test('ends with a sign-out, however many other cookies the browser sends', async () => {
    const { browser } = await people.signedIn();
    expect((await browser.call('/api/account/me')).status).toBe(200);
    const others = Array.from({ length: 200 }, (_, i) => `${i}`.padStart(43, '0'));
    const planted = ['x', ...others].map((token) => `sightline_session=${token}`);
    const headers = { Cookie: [...planted, browser.cookie!].join('; ') };
    const out = { method: 'POST', headers };
    expect((await people.browser().call('/api/auth/sign-out', out)).status).toBe(204);
    expect((await browser.call('/api/account/me')).status).toBe(401);
  });

  test('is listed, and can be ended from another browser, by its account alone', async () => {
    const { account, browser } = await people.signedIn();
    const other = people.browser();
    await other.signIn(account.email);
    const { body } = await other.call('/api/account/sessions');
    expect(body.items).toMatchObject([
      { current: true, address: '127.0.0.1' },
      { current: false, user_agent: expect.any(String) },
    ]);
    const path = `/api/account/sessions/${body.items[1].id}`;
    const stranger = await people.signedIn();
    expect(await stranger.browser.call(path, { method: 'DELETE' })).toMatchObject({ status: 404 });
    expect((await other.call(path, { method: 'DELETE' })).status).toBe(204);
    expect((await browser.call('/api/account/me')).status).toBe(401);
    expect((await other.call('/api/account/me')).status).toBe(200);
  });

  test.each(['', 'x', 'a'.repeat(43), `${'a'.repeat(42)}!`])('is not forged: %j', async (token) => {
    const browser = people.browser();
    browser.cookie = `sightline_session=${token}`;
    expect((await browser.call('/api/account/me')).status).toBe(401);
    expect((await browser.call('/api/stats')).status).toBe(401);
  });

  test('reaches the data of its environments, and of no others', async () => {
    const ada = await people.settled();
    const bob = await people.settled();
    const made = await ada.browser.call('/api/identities', {
      body: { label: 'Carl', type: 'face' },
    });
    expect(made.status).toBe(201);
    expect((await ada.browser.call('/api/identities')).body.items).toHaveLength(1);
    expect((await bob.browser.call('/api/identities')).body.items).toEqual([]);
    const path = `/api/identities/${made.body.id}`;
    expect((await bob.browser.call(path)).status).toBe(404);
    const named = { headers: { 'X-Environment-Id': String(ada.environment) } };
    expect(await bob.browser.call(path, named)).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
    expect((await ada.browser.call(path, named)).status).toBe(200);
  });

  test('without an environment can do nothing in one', async () => {
    const { browser } = await people.signedIn();
    expect(await browser.call('/api/stats')).toMatchObject({
      status: 409,
      body: { code: 'no_environment' },
    });
  });

  test('uploads photos, and reads their files', async () => {
    const { browser } = await people.settled();
    const form = new FormData();
    form.set('file', photo('0'));
    const response = await fetch(`${api.base}/api/detect/faces`, {
      method: 'POST',
      headers: { Cookie: browser.cookie!, 'Sec-Fetch-Site': 'same-origin' },
      body: form,
    });
    expect(response.status).toBe(200);
    const { faces } = (await response.json()) as { faces: { crop_url: string }[] };
    const crop = await fetch(api.base + faces[0]!.crop_url, {
      headers: { Cookie: browser.cookie!, 'Sec-Fetch-Site': 'same-origin' },
    });
    expect(crop.status).toBe(200);
    expect(crop.headers.get('cache-control')).toBe('private, no-cache');
    await crop.arrayBuffer();
    // The picture is found in an environment that is not the default one, but not by other accounts.
    const { body } = await browser.call('/api/account/environments', { body: { name: 'other' } });
    const changes = { default_environment_id: (body as { id: number }).id };
    await browser.call('/api/account/me', { method: 'PATCH', body: changes });
    const cookieOf = ({ cookie }: Browser) => ({
      Cookie: cookie!,
      'Sec-Fetch-Site': 'same-origin',
    });
    const statusOf = async (headers: Record<string, string>) => {
      const answer = await fetch(api.base + faces[0]!.crop_url, { headers });
      await answer.arrayBuffer();
      return answer.status;
    };
    expect(await statusOf(cookieOf(browser))).toBe(200);
    expect(await statusOf(cookieOf((await people.settled()).browser))).toBe(404);
    expect(await statusOf({ 'X-API-Key': api.key })).toBe(404);
  });
});

describe('the own account', () => {
  test('has a name, a language and a default environment', async () => {
    const { browser, environment } = await people.settled();
    const { body: second } = await browser.call('/api/account/environments', {
      body: { name: 'work' },
    });
    expect((await browser.call('/api/auth/session')).body.environment_id).toBe(environment);
    const changes = { name: ' Ada L. ', locale: 'de', default_environment_id: second.id };
    expect(await browser.call('/api/account/me', { method: 'PATCH', body: changes })).toMatchObject(
      {
        status: 200,
        body: { name: 'Ada L.', locale: 'de', default_environment_id: second.id },
      },
    );
    expect((await browser.call('/api/auth/session')).body.environment_id).toBe(second.id);
    const stranger = await people.settled();
    const foreign = { default_environment_id: stranger.environment };
    expect(await browser.call('/api/account/me', { method: 'PATCH', body: foreign })).toMatchObject(
      { status: 404 },
    );
    expect((await browser.call('/api/account/me')).body.default_environment_id).toBe(second.id);
  });

  test('changes its password, which ends its other sessions', async () => {
    const { account, browser } = await people.signedIn();
    const other = people.browser();
    await other.signIn(account.email);
    const put = (body: object) => browser.call('/api/account/password', { method: 'PUT', body });
    const wrong = { current_password: 'wrong password', new_password: 'another long one' };
    expect(await put(wrong)).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } });
    const same = { current_password: PASSWORD, new_password: PASSWORD };
    expect(await put(same)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    const short = { current_password: PASSWORD, new_password: '123456789' };
    expect(await put(short)).toMatchObject({ status: 400 });
    const right = { current_password: PASSWORD, new_password: 'another long one' };
    expect((await put(right)).status).toBe(204);
    expect((await browser.call('/api/account/me')).status).toBe(200);
    expect(await api.stores.sessions.list(account.id)).toHaveLength(1);
    expect((await people.browser().signIn(account.email)).status).toBe(401);
    expect((await people.browser().signIn(account.email, 'another long one')).status).toBe(200);
  });

  test('with a password of an administrator has to change it first', async () => {
    const { browser, account } = await people.signedIn({ passwordBy: 'administrator' });
    const refused = { status: 403, body: { code: 'password_change_required' } };
    expect(await browser.call('/api/account/me')).toMatchObject(refused);
    expect(await browser.call('/api/stats')).toMatchObject(refused);
    expect((await browser.call('/api/auth/session')).body.user.must_change_password).toBe(true);
    const body = { current_password: PASSWORD, new_password: 'my own password' };
    expect((await browser.call('/api/account/password', { method: 'PUT', body })).status).toBe(204);
    expect(await browser.call('/api/account/me')).toMatchObject({
      status: 200,
      body: { id: account.id, must_change_password: false },
    });
  });
});

describe('environments', () => {
  test('have unique names per account, and are renamed by their owners', async () => {
    const { browser, environment } = await people.settled();
    const other = await people.settled();
    expect((await browser.call('/api/account/environments')).body.items).toMatchObject([
      { id: environment, name: 'home', role: 'owner' },
    ]);
    const again = await browser.call('/api/account/environments', { body: { name: ' home ' } });
    expect(again).toMatchObject({ status: 409, body: { code: 'environment_exists' } });
    const { body: work } = await browser.call('/api/account/environments', {
      body: { name: 'work' },
    });
    const path = `/api/account/environments/${work.id}`;
    const rename = (name: string, by = browser) =>
      by.call(path, { method: 'PATCH', body: { name } });
    expect(await rename('home')).toMatchObject({ status: 409 });
    expect(await rename('office')).toMatchObject({ status: 200, body: { name: 'office' } });
    expect(await rename('stolen', other.browser)).toMatchObject({ status: 404 });
    expect((await other.browser.call(path)).status).toBe(404);
    expect(await browser.call(path)).toMatchObject({ status: 200, body: { name: 'office' } });
    for (const name of ['', '   ', 'x'.repeat(201), 7]) {
      const { status } = await browser.call('/api/account/environments', { body: { name } });
      expect(status).toBe(400);
    }
  });
});

describe('keys', () => {
  test('are made by owners, shown once, and deleted', async () => {
    const { browser, environment, account } = await people.settled();
    const request = { environment_id: environment, label: 'camera', type: 'read' };
    const made = await browser.call('/api/account/keys', { body: request });
    expect(made.status).toBe(201);
    const { key, ...record } = made.body as { key: string; id: number };
    expect(record).toMatchObject({
      ...request,
      prefix: key.slice(0, 16),
      expires_at: null,
      created_by: { account_id: account.id, name: 'Ada' },
    });
    const listed = await browser.call('/api/account/keys');
    expect(listed.body.items).toMatchObject([{ id: record.id }]);
    expect(JSON.stringify(listed.body)).not.toContain(key);
    const stats = () => fetch(`${api.base}/api/stats`, { headers: { 'X-API-Key': key } });
    expect((await stats()).status).toBe(200);
    const path = `/api/account/keys/${record.id}`;
    const stranger = await people.settled();
    expect((await stranger.browser.call(path, { method: 'DELETE' })).status).toBe(404);
    expect((await stranger.browser.call('/api/account/keys')).body.items).toEqual([]);
    const foreign = await stranger.browser.call('/api/account/keys', { body: request });
    expect(foreign).toMatchObject({ status: 404 });
    expect((await browser.call(path, { method: 'DELETE' })).status).toBe(204);
    expect((await browser.call(path, { method: 'DELETE' })).status).toBe(404);
    expect((await browser.call('/api/account/keys')).body.items).toEqual([]);
  });

  test('expire in the future', async () => {
    const { browser, environment } = await people.settled();
    const body = { environment_id: environment, label: 'a', type: 'full' };
    const past = { ...body, expires_at: '2020-01-01' };
    expect(await browser.call('/api/account/keys', { body: past })).toMatchObject({ status: 400 });
    const future = { ...body, expires_at: '2099-01-01' };
    const made = await browser.call('/api/account/keys', { body: future });
    expect(made).toMatchObject({ status: 201, body: { expires_at: '2099-01-01T00:00:00.000Z' } });
  });

  test('for reviews decide, but do not delete', async () => {
    const { browser, environment } = await people.settled();
    const body = { environment_id: environment, label: 'reviewer', type: 'review' };
    const { key } = (await browser.call('/api/account/keys', { body })).body;
    const send = async (path: string, method: string) => {
      const headers = { 'X-API-Key': key as string };
      const response = await fetch(api.base + path, { method, headers });
      return response.status;
    };
    expect(await send('/api/review', 'GET')).toBe(200);
    expect(await send('/api/review/7/reject', 'POST')).toBe(404);
    expect(await send('/api/review/7/unassign', 'POST')).toBe(404);
    expect(await send('/api/detections/7', 'DELETE')).toBe(403);
    expect(await send('/api/webhooks', 'GET')).toBe(403);
  });

  test('of an administrator are one as long as the account is', async () => {
    const { account, browser, environment } = await people.settled({ isAdmin: true });
    const body = { environment_id: environment, label: 'a', type: 'full' };
    const made = await browser.call('/api/account/keys', { body });
    const { key } = made.body as { key: string };
    const records = () => api.stores.keys.byPrefix(key.slice(0, 16));
    expect(await records()).toMatchObject([{ isAdmin: true }]);
    await api.stores.accounts.change(account.id, { isAdmin: false }, SERVICE);
    expect(await records()).toMatchObject([{ isAdmin: false, right: 'full' }]);
    await api.stores.accounts.change(account.id, { isDisabled: true }, SERVICE);
    expect(await records()).toEqual([]);
    await api.stores.accounts.change(account.id, { isDisabled: false }, SERVICE);
    expect(await records()).toMatchObject([{ revokedAt: expect.any(Date) }]);
  });
});

describe('users', () => {
  test('are created by administrators, with a password that is shown once', async () => {
    const { browser } = await people.signedIn({ isAdmin: true });
    const made = await browser.call('/api/account/users', {
      body: { email: 'New@Example.org', name: 'New' },
    });
    expect(made).toMatchObject({
      status: 201,
      body: { email: 'new@example.org', is_admin: false, must_change_password: true },
    });
    const { password } = made.body;
    const person = people.browser();
    expect((await person.signIn('new@example.org', password as string)).status).toBe(200);
    const { body } = await browser.call('/api/account/users');
    const items = body.items as unknown[];
    expect(items.at(-1)).toMatchObject({ email: 'new@example.org' });
    expect(JSON.stringify(body)).not.toContain(password);
    const again = await browser.call('/api/account/users', { body: { email: 'new@example.org' } });
    expect(again).toMatchObject({ status: 409, body: { code: 'email_exists' } });
    const path = `/api/account/users/${made.body.id}`;
    const patch = (changes: object) => browser.call(path, { method: 'PATCH', body: changes });
    expect(await patch({ disabled: true })).toMatchObject({
      status: 200,
      body: { disabled: true },
    });
    expect(await api.stores.sessions.list(made.body.id as string)).toEqual([]);
    expect((await people.browser().signIn('new@example.org', password as string)).status).toBe(401);
    const restored = { disabled: false, is_admin: true, password: 'a new password' };
    expect(await patch(restored)).toMatchObject({ body: { disabled: false, is_admin: true } });
    expect((await people.browser().signIn('new@example.org', 'a new password')).status).toBe(200);
  });

  test('are seen and changed by nobody else', async () => {
    const { account, browser } = await people.settled();
    const refused = { status: 403, body: { code: 'admin_required' } };
    expect(await browser.call('/api/account/users')).toMatchObject(refused);
    const body = { email: 'x@example.org' };
    expect(await browser.call('/api/account/users', { body })).toMatchObject(refused);
    const path = `/api/account/users/${account.id}`;
    const isAdmin = { method: 'PATCH', body: { is_admin: true } };
    expect(await browser.call(path, isAdmin)).toMatchObject(refused);
  });

  test('always include an administrator who can sign in', async () => {
    const { account, browser } = await people.signedIn({ isAdmin: true });
    const others = (await api.stores.accounts.list()).filter(
      ({ id, isAdmin }) => isAdmin && id !== account.id,
    );
    for (const { id } of others) await api.stores.accounts.change(id, { isAdmin: false }, SERVICE);
    const path = `/api/account/users/${account.id}`;
    for (const changes of [{ is_admin: false }, { disabled: true }]) {
      const answer = await browser.call(path, { method: 'PATCH', body: changes });
      expect(answer).toMatchObject({ status: 409, body: { code: 'last_administrator' } });
    }
    expect(await api.stores.accounts.byId(account.id)).toMatchObject({ isAdmin: true });
    const unknown = '/api/account/users/7';
    const missing = await browser.call(unknown, { method: 'PATCH', body: {} });
    expect(missing).toMatchObject({ status: 404 });
  });
});
