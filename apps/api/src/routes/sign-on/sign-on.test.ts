import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Account } from '@sightline/core/accounts/account';
import type { IdentityProvider } from '@sightline/core/accounts/identity-provider';
import { SERVICE } from '@sightline/core/store/actor';
import { AesSecretBox } from '@sightline/composition/secrets/aes-secret-box';
import { OpenIdProvider } from '@sightline/openid-connect/open-id-provider';
import {
  CLIENT,
  newKey,
  OpenIdServer,
  type ProviderPerson,
  SIGNING_KEY,
} from '@sightline/test/support/servers/open-id-server';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type ApiServer, startApi } from '../../testing/api-server.ts';
import { type Browser, PASSWORD, People } from '../../testing/browser.ts';

const REDIRECT = 'https://faces.example.org/api/auth/oidc/callback';

let server: OpenIdServer;
let api: ApiServer;
let people: People;
let openId: OpenIdProvider;
let allowsSignUp = false;

const provider: IdentityProvider = {
  get issuer() {
    return openId.issuer;
  },
  get allowsSignUp() {
    return allowsSignUp;
  },
  addressFor: (...given) => openId.addressFor(...given),
  verify: (...given) => openId.verify(...given),
};

const providerAt = (issuer: string) =>
  new OpenIdProvider({
    issuer: new URL(issuer),
    clientId: CLIENT.id,
    readSecret: () => [CLIENT.secret],
    redirectUri: REDIRECT,
    allowsSignUp: false,
    failed: () => undefined,
  });

beforeAll(async () => {
  server = await OpenIdServer.open({ redirectUris: [REDIRECT] });
  api = await startApi(createMigratedDatabase, { identityProvider: provider });
  people = await People.of(api);
  await people.newAccount({ email: 'first@example.org', isAdmin: true });
});
beforeEach(async () => {
  openId = providerAt(server.issuer);
  allowsSignUp = false;
  Object.assign(server, { error: null, falsify: null, delay: null, key: SIGNING_KEY });
  await forgetFailures();
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

/** Failures of sign-ins at the provider count for no e-mail address. */
const forgetFailures = () => api.signIns.unlock('');

let persons = 0;

/** A new person of the provider, who signs in there next. */
function newPerson(changes: Partial<ProviderPerson> = {}): ProviderPerson {
  const sub = `person-${persons++}`;
  const email = `${sub}@provider.example`;
  server.person = { sub, email, email_verified: true, name: 'Grace', ...changes };
  return server.person;
}

interface Arrival {
  readonly status: number;
  readonly location: string | null;
  readonly cookies: readonly string[];
  readonly headers: Headers;
}

/** Begins a sign-in on a page, and returns the sealed cookie and the page of the provider. */
async function begin(browser: Browser, body: object = {}) {
  const session = browser.cookie;
  const reply = await browser.call('/api/auth/oidc', { body });
  const [sealed = ''] = reply.headers.getSetCookie();
  browser.cookie = session;
  return { ...reply, sealed: sealed.split(';')[0]!, url: (reply.body as { url: string }).url };
}

/** Sends a browser back with the answer of the provider. Browsers send no strict cookie with such a request. */
async function comeBack(sealed: string, { search }: { readonly search: string }): Promise<Arrival> {
  const { status, headers } = await fetch(`${api.base}/api/auth/oidc/callback${search}`, {
    redirect: 'manual',
    headers: { 'Sec-Fetch-Site': 'cross-site', ...(sealed !== '' && { Cookie: sealed }) },
  });
  return {
    status,
    location: headers.get('location'),
    cookies: headers.getSetCookie(),
    headers,
  };
}

/** Signs the next person of the provider in. */
async function signOn(browser: Browser, body: object = {}): Promise<Arrival> {
  const { sealed, url } = await begin(browser, body);
  const arrival = await comeBack(sealed, await server.visit(url));
  const session = arrival.cookies.find((cookie) => cookie.startsWith('sightline_session='));
  if (session !== undefined) browser.cookie = session.split(';')[0]!;
  return arrival;
}

const login = ({ sub: subject }: ProviderPerson) => ({ issuer: openId.issuer, subject });

const refused = (code: string) => ({ status: 303, location: `/console/sign-in?error=${code}` });
const RATE_LIMITED = '/console/sign-in?error=rate_limited';
const CLEARED = 'sightline_oidc=; Max-Age=0; Path=/api/auth/oidc; HttpOnly; SameSite=Lax';
const DONE = { status: 303, location: '/console/' };

/** A person with an account to which a login is bound. */
async function linked(changes: Partial<Account> = {}) {
  const { account, browser } = await people.signedIn(changes);
  const person = newPerson();
  expect(await signOn(browser, { link: true })).toMatchObject(DONE);
  return { account, browser, person };
}

async function auditOf(accountId: string | null, action?: string) {
  const filter = { environmentId: null, ...(action !== undefined && { action }) };
  const { items } = await api.stores.audit.list(filter, { after: null, limit: 1000 });
  return items.filter(({ ids }) => accountId === null || ids.includes(accountId));
}

/** The reason of the newest refusal in the audit. */
async function lastRefusal() {
  const [refusal] = await auditOf(null, 'refuse_sign_in');
  return refusal?.details.reason;
}

describe('a sign-in at the provider', () => {
  test('begins a new session of the account that has the login', async () => {
    const { account, person } = await linked();
    server.person = { ...person, email: 'changed@provider.example' };
    const browser = people.browser();
    const { cookies, headers, ...arrival } = await signOn(browser);
    expect(arrival).toEqual(DONE);
    expect(headers.get('cache-control')).toBe('no-store');
    const [cleared, begun, ...others] = cookies;
    expect(cleared).toBe(CLEARED);
    expect(begun).toMatch(/^sightline_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; S/);
    expect(others).toContain('sightline_session=; Max-Age=0; Path=/api/auth');
    const session = await browser.call('/api/auth/session');
    expect(session.body.user).toMatchObject({ id: account.id, email: account.email });
    expect(await auditOf(account.id, 'sign_in')).toMatchObject([
      { accountId: account.id, details: { address: '127.0.0.1', by: 'oidc' } },
      {},
    ]);
  });

  test('may begin with a link, which leads to the provider', async () => {
    const { person } = await linked();
    const response = await fetch(`${api.base}/api/auth/oidc`, {
      redirect: 'manual',
      headers: { 'Sec-Fetch-Site': 'same-origin' },
    });
    expect(response.status).toBe(303);
    const [cookie] = response.headers.getSetCookie();
    expect(cookie).toMatch(
      /^sightline_oidc=[\w-]+; Max-Age=600; Path=\/api\/auth\/oidc; HttpOnly; SameSite=Lax$/,
    );
    const location = response.headers.get('location')!;
    expect(location).toMatch(`${server.issuer}/auth?`);
    server.person = person;
    expect(await comeBack(cookie!.split(';')[0]!, await server.visit(location))).toMatchObject(
      DONE,
    );
  });

  test('shows no secret in bodies, addresses and the log', async () => {
    const { browser } = await linked();
    const { sealed, url, body } = await begin(browser);
    const back = await server.visit(url);
    const { location, cookies } = await comeBack(sealed, back);
    const session = cookies[1]!.split(/[=;]/)[1]!;
    const log = JSON.stringify(api.log);
    const secrets = [session, back.searchParams.get('code')!, CLIENT.secret, sealed.split('=')[1]!];
    for (const secret of secrets) {
      for (const shown of [log, location!, url, JSON.stringify(body)]) {
        expect(shown).not.toContain(secret);
      }
    }
  });

  test('of an unknown login is refused, whatever e-mail address it has', async () => {
    const account = await people.newAccount();
    const person = newPerson({ email: account.email });
    const { cookies, ...arrival } = await signOn(people.browser());
    expect(arrival).toMatchObject(refused('unknown_account'));
    expect(cookies).toEqual([expect.stringMatching(/^sightline_oidc=; Max-Age=0;/)]);
    expect(await api.stores.logins.accountOf(login(person))).toBeNull();
    expect((await auditOf(null, 'refuse_sign_in'))[0]).toMatchObject({
      accountId: null,
      ids: [],
      details: { address: '127.0.0.1', by: 'oidc', reason: 'unknown_account' },
    });
  });

  test('of a disabled account is refused in the same words', async () => {
    const { account } = await linked();
    await api.stores.accounts.change(account.id, { isDisabled: true }, SERVICE);
    allowsSignUp = true;
    expect(await signOn(people.browser())).toMatchObject(refused('unknown_account'));
    expect(await auditOf(account.id, 'refuse_sign_in')).toMatchObject([
      { details: { reason: 'unknown_account' } },
    ]);
  });

  test('ends with a password that an administrator gives to the account', async () => {
    const { account, person } = await linked();
    await api.stores.accounts.change(account.id, { passwordHash: 'reset' }, SERVICE);
    expect(await api.stores.logins.accountOf(login(person))).toBeNull();
    expect(await signOn(people.browser())).toMatchObject(refused('unknown_account'));
    expect(await auditOf(account.id, 'unbind_login')).toHaveLength(1);
  });
});

describe('the answer of the provider', () => {
  const attempt = async () => begin((await linked()).browser);

  test.each([
    ['no cookie', () => ''],
    ['a forged cookie', (sealed: string) => `${sealed.slice(0, -2)}AA`],
    ['a cookie of another key', () => `sightline_oidc=${sealedByOther()}`],
    ['two cookies', (sealed: string) => `${sealed}; ${sealed}`],
  ])('is refused with %s, before the provider is asked', async (_, changed) => {
    const { sealed, url } = await attempt();
    const back = await server.visit(url);
    server.requests.length = 0;
    expect(await comeBack(changed(sealed), back)).toMatchObject(refused('sign_in_expired'));
    expect(server.requests).toEqual([]);
    expect(await comeBack(sealed, back)).toMatchObject(DONE);
  });

  test('is refused after ten minutes', async () => {
    const { sealed, url } = await attempt();
    const back = await server.visit(url);
    const later = Date.now() + 600_000;
    const clock = jest.spyOn(Date, 'now').mockReturnValue(later);
    try {
      expect(await comeBack(sealed, back)).toMatchObject(refused('sign_in_expired'));
    } finally {
      clock.mockRestore();
    }
  });

  test('is refused with the state of another browser, and with none', async () => {
    const { sealed, url } = await attempt();
    const other = await begin(people.browser());
    const back = await server.visit(url);
    const foreign = await server.visit(other.url);
    const kept = { ...refused('sign_in_expired'), cookies: [] };
    for (let i = 0; i < 20; i++) expect(await comeBack(sealed, foreign)).toMatchObject(kept);
    const code = { search: `?code=${back.searchParams.get('code')}` };
    expect(await comeBack(sealed, code)).toMatchObject(kept);
    expect(await comeBack(sealed, back)).toMatchObject(DONE);
  });

  test.each(['code', 'state', 'iss'])('is refused with two of %s', async (name) => {
    const { sealed, url } = await attempt();
    const { search } = await server.visit(url);
    const arrival = await comeBack(sealed, { search: `${search}&${name}=another` });
    expect(arrival).toMatchObject({ ...refused('sign_in_invalid'), cookies: [CLEARED] });
  });

  test('may have a description in another encoding', async () => {
    const { sealed, url } = await attempt();
    server.error = 'access_denied';
    const { search } = await server.visit(url);
    const arrival = await comeBack(sealed, { search: `${search}&error_description=%FF` });
    expect(arrival).toMatchObject({ ...refused('sign_in_denied'), cookies: [CLEARED] });
  });

  test('is valid once', async () => {
    const { sealed, url } = await attempt();
    const back = await server.visit(url);
    expect(await comeBack(sealed, back)).toMatchObject(DONE);
    expect(await comeBack(sealed, back)).toMatchObject(refused('sign_in_expired'));
  });

  test.each([
    ['for another nonce', { nonce: 'another' }, null],
    ['for another client', { aud: 'another' }, null],
    ['that another key has signed', {}, newKey().privateKey],
  ])('is refused with a token %s', async (_, changes, key) => {
    const { sealed, url } = await attempt();
    Object.assign(server, {
      falsify: (claims: object) => ({ ...claims, ...changes }),
      ...(key !== null && { key }),
    });
    const arrival = await comeBack(sealed, await server.visit(url));
    expect(arrival).toMatchObject(refused('sign_in_invalid'));
  });

  test('may be a refusal', async () => {
    const { sealed, url } = await attempt();
    server.error = 'access_denied';
    const back = await server.visit(url);
    for (let i = 0; i < 20; i++) {
      expect(await comeBack(sealed, back)).toMatchObject(refused('sign_in_denied'));
    }
    expect(await comeBack(sealed, back)).toMatchObject(refused('rate_limited'));
  });

  test('is limited to 20 refusals of an address', async () => {
    newPerson();
    const browser = people.browser();
    const pending = await begin(browser);
    for (let i = 0; i < 20; i++) {
      expect(await signOn(people.browser())).toMatchObject(refused('unknown_account'));
    }
    const back = await server.visit(pending.url);
    server.requests.length = 0;
    expect(await comeBack(pending.sealed, back)).toMatchObject(refused('rate_limited'));
    expect(server.requests).toEqual([]);
    expect(await begin(browser)).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect((await browser.signIn('first@example.org')).status).toBe(429);
  });
});

/** A cookie that an installation with another key has sealed. */
function sealedByOther(): string {
  const box = new AesSecretBox(() => [new Uint8Array(32).fill(1)]);
  return box.sealer('sign-on').seal('{}');
}

describe('a provider that is unavailable', () => {
  beforeEach(() => {
    openId = providerAt('http://127.0.0.1:9');
  });

  test('is a problem of the beginning, and passwords are valid', async () => {
    const { browser } = await people.signedIn();
    expect(await begin(browser)).toMatchObject({
      status: 503,
      body: { code: 'identity_provider_unavailable' },
    });
    expect((await browser.call('/api/account/me')).status).toBe(200);
  });

  test('sends the browser back to the sign-in', async () => {
    openId = providerAt(server.issuer);
    const { sealed, url } = await begin(people.browser());
    const back = await server.visit(url);
    openId = providerAt('http://127.0.0.1:9');
    const unavailable = refused('identity_provider_unavailable');
    expect(await comeBack(sealed, back)).toMatchObject(unavailable);
  });

  test('is asked by a limited number of requests', async () => {
    const hangs = Promise.withResolvers<string>();
    let [waiting, most] = [0, 0];
    openId.addressFor = async () => {
      most = Math.max(most, ++waiting);
      const address = await hangs.promise;
      waiting--;
      return address;
    };
    const attempts = Array.from({ length: 40 }, () => begin(people.browser()));
    const first = await Promise.race(attempts);
    expect(first).toMatchObject({ status: 429, body: { code: 'overloaded' } });
    hangs.resolve('https://provider.example');
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses).toContain(200);
    expect(most).toBeLessThanOrEqual(32);
  });

  test('is asked by a limited number of browsers that disconnect, whose refusals count', async () => {
    openId = providerAt(server.issuer);
    const { sealed, url } = await begin(people.browser());
    const known = `state=${new URL(url).searchParams.get('state')}&iss=${server.issuer}`;
    const waiting: (() => void)[] = [];
    let [most, asked] = [0, Promise.withResolvers<null>()];
    server.delay = (path) => {
      if (path !== '/token') return undefined;
      const { promise, resolve } = Promise.withResolvers<undefined>();
      most = Math.max(
        most,
        waiting.push(() => resolve(undefined)),
      );
      asked.resolve(null);
      return promise;
    };
    const cookies = new Map<string | null, string[]>();
    for (let at = 0; at < 500 && most <= 32 && !cookies.has(RATE_LIMITED); at++) {
      asked = Promise.withResolvers();
      const leaves = new AbortController();
      const guess = fetch(`${api.base}/api/auth/oidc/callback?code=${at}&${known}`, {
        redirect: 'manual',
        headers: { Cookie: sealed },
        signal: leaves.signal,
      }).catch(() => null);
      const response = await Promise.race([guess, asked.promise]);
      leaves.abort();
      if (response === null) continue;
      cookies.set(response.headers.get('location'), response.headers.getSetCookie());
      for (const answer of waiting.splice(0)) answer();
    }
    for (const answer of waiting) answer();
    expect(most).toBeLessThanOrEqual(32);
    expect([...cookies]).toEqual([
      ['/console/sign-in?error=overloaded', []],
      [RATE_LIMITED, [CLEARED]],
    ]);
  });
});

describe('a sign-up', () => {
  beforeEach(() => {
    allowsSignUp = true;
  });

  test('creates an account without a password', async () => {
    const { email, sub } = newPerson({ email: `New.${randomUUID()}@Example.org` });
    const browser = people.browser();
    expect(await signOn(browser)).toMatchObject(DONE);
    const me = await browser.call('/api/account/me');
    expect(me.body).toMatchObject({
      email: email!.toLowerCase(),
      name: 'Grace',
      is_admin: false,
      must_change_password: false,
      sign_in: ['oidc'],
    });
    const { id } = me.body as { id: string };
    const audited = (await auditOf(id)).map(({ action }) => action).toSorted();
    expect(audited).toEqual(['bind_login', 'create', 'sign_in']);
    for (const password of ['', PASSWORD]) {
      expect((await people.browser().signIn(email!, password)).status).toBe(401);
    }
    const change = { current_password: '', new_password: 'a password of my own' };
    const put = { method: 'PUT', body: change };
    expect(await browser.call('/api/account/password', put)).toMatchObject({
      status: 401,
      body: { code: 'invalid_credentials' },
    });
    expect(await browser.call('/api/account/oidc', { method: 'DELETE' })).toMatchObject({
      status: 409,
      body: { code: 'last_sign_in' },
    });
    expect(
      await api.stores.logins.accountOf({ issuer: openId.issuer, subject: sub }),
    ).not.toBeNull();
  });

  test.each([
    [{ email_verified: false }],
    [{ email_verified: 'true' as unknown as boolean }],
    [{ email: 'no address' }],
    [{ email: 'in\u212aognito@example.org' }],
    [{ email: `${'x'.repeat(250)}@example.org` }],
    [{ email: undefined as unknown as string }],
  ])('needs a checked e-mail address: %j', async (changes) => {
    const person = newPerson(changes);
    expect(await signOn(people.browser())).toMatchObject(refused('email_unverified'));
    expect(await api.stores.logins.accountOf(login(person))).toBeNull();
  });

  test('is refused with the e-mail address of an account', async () => {
    const account = await people.newAccount();
    const person = newPerson({ email: account.email.toUpperCase() });
    expect(await signOn(people.browser())).toMatchObject(refused('email_exists'));
    expect(await api.stores.logins.accountOf(login(person))).toBeNull();
  });

  test('makes one account of two callbacks at the same time', async () => {
    const person = newPerson({ name: '\u0000' });
    const begun = await Promise.all([begin(people.browser()), begin(people.browser())]);
    const backs = [];
    for (const { url } of begun) backs.push(await server.visit(url));
    const arrivals = await Promise.all(backs.map((back, at) => comeBack(begun[at]!.sealed, back)));
    expect(arrivals).toMatchObject([DONE, DONE]);
    const account = await api.stores.logins.accountOf(login(person));
    expect(account).toMatchObject({ email: person.email, name: person.sub });
    expect(await api.stores.sessions.list(account!.id)).toHaveLength(2);
  });
});

describe('a login', () => {
  test('is bound to the account that is signed in, shown, and removed', async () => {
    const { account, browser, person } = await linked();
    expect((await browser.call('/api/account/me')).body.sign_in).toEqual(['password', 'oidc']);
    expect(await auditOf(account.id, 'bind_login')).toMatchObject([
      { accountId: account.id, details: { issuer: openId.issuer } },
    ]);
    server.person = person;
    expect(await signOn(browser, { link: true })).toMatchObject(DONE);
    const remove = () => browser.call('/api/account/oidc', { method: 'DELETE' });
    expect((await remove()).status).toBe(204);
    expect(await remove()).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await auditOf(account.id, 'unbind_login')).toHaveLength(1);
    const changed = await browser.call('/api/account/me', { method: 'PATCH', body: {} });
    expect(changed.body.sign_in).toEqual(['password']);
    expect(await signOn(people.browser())).toMatchObject(refused('unknown_account'));
  });

  test('keeps the session with which it was bound', async () => {
    const { browser } = await people.signedIn();
    newPerson();
    const { cookies } = await signOn(browser, { link: true });
    expect(cookies).toHaveLength(1);
    expect((await browser.call('/api/account/me')).status).toBe(200);
  });

  test('of another account is not bound', async () => {
    const { person } = await linked();
    const { browser, account } = await people.signedIn();
    server.person = person;
    expect(await signOn(browser, { link: true })).toMatchObject(refused('linked_elsewhere'));
    expect((await api.stores.logins.accountOf(login(person)))!.id).not.toBe(account.id);
  });

  test('does not replace another one', async () => {
    const { browser } = await linked();
    newPerson();
    expect(await signOn(browser, { link: true })).toMatchObject(refused('already_linked'));
    expect(await lastRefusal()).toBe('already_linked');
  });

  test('is not bound after the session has ended', async () => {
    const { browser } = await people.signedIn();
    const person = newPerson();
    const { sealed, url } = await begin(browser, { link: true });
    const back = await server.visit(url);
    expect((await browser.call('/api/auth/sign-out', { method: 'POST' })).status).toBe(204);
    expect(await comeBack(sealed, back)).toMatchObject(refused('session_ended'));
    expect(await lastRefusal()).toBe('session_ended');
    expect(await api.stores.logins.accountOf(login(person))).toBeNull();
  });

  test('is bound by no browser with two cookies of sessions, which may still sign in', async () => {
    const [one, other] = [await people.signedIn(), await people.signedIn()];
    const browser = people.browser();
    browser.cookie = `${one.browser.cookie}; ${other.browser.cookie}`;
    const linking = await begin(browser, { link: true });
    expect(linking).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    expect((await begin(browser)).status).toBe(200);
    const headers = { Cookie: browser.cookie, 'Sec-Fetch-Site': 'same-origin' };
    const sent = await fetch(`${api.base}/api/auth/oidc`, { redirect: 'manual', headers });
    expect(sent.status).toBe(303);
  });

  test('is bound by a session alone, whose password is the own one', async () => {
    const unknown = await begin(people.browser(), { link: true });
    expect(unknown).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    const { browser } = await people.signedIn({ passwordBy: 'administrator' });
    expect(await begin(browser, { link: true })).toMatchObject({
      status: 403,
      body: { code: 'password_change_required' },
    });
  });

  test('that is removed during a sign-in opens no session', async () => {
    const { account, person } = await linked();
    const by = { accountId: account.id, requestId: 'test' };
    expect(await api.stores.logins.unbind(openId.issuer, by)).toBe(true);
    const session = { address: null, userAgent: null, hash: new Uint8Array(32), ...by };
    expect(await api.stores.sessions.open({ ...session, login: login(person) })).toBe(false);
  });
});

describe('an invitation', () => {
  async function invite(email: string) {
    const owner = await people.settled();
    const path = `/api/account/environments/${owner.environment}/invitations`;
    const { body } = await owner.browser.call(path, { body: { email, role: 'viewer' } });
    const token = (body as { url: string }).url.split('#')[1]!;
    return { owner, token, environment: owner.environment };
  }

  const accept = (browser: Browser, invitation_token: string) =>
    signOn(browser, { invitation_token });

  test('is accepted by a new login, which gets an account', async () => {
    const { token, environment } = await invite('invited@example.org');
    newPerson({ email: 'other@provider.example', email_verified: false });
    const browser = people.browser();
    const { sealed, url } = await begin(browser, { invitation_token: token });
    expect(url + decodeURIComponent(url)).not.toContain(token);
    expect(await comeBack(sealed, await server.visit(url))).toMatchObject(DONE);
    expect(await signOn(browser)).toMatchObject(DONE);
    expect(await browser.call('/api/account/me')).toMatchObject({
      body: { email: 'invited@example.org', name: 'Grace', sign_in: ['oidc'] },
    });
    const session = await browser.call('/api/auth/session');
    expect(session.body.environment_id).toBe(environment);
    expect(JSON.stringify(api.log)).not.toContain(token);
    const again = await begin(people.browser(), { invitation_token: token });
    expect(again).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  test('is accepted as the account that has the login', async () => {
    const { account } = await linked();
    const { token, environment } = await invite(account.email);
    const browser = people.browser();
    expect(await accept(browser, token)).toMatchObject(DONE);
    const session = await browser.call('/api/auth/session');
    expect(session.body).toMatchObject({
      user: { id: account.id },
      environment_id: environment,
    });
  });

  test('for another account is not accepted', async () => {
    await linked();
    const { token } = await invite((await people.newAccount()).email);
    expect(await accept(people.browser(), token)).toMatchObject(refused('forbidden'));
    expect(await lastRefusal()).toBe('forbidden');
  });

  test('binds no login to an account, because its author knows the token, too', async () => {
    const { email } = await people.newAccount();
    const { token } = await invite(email);
    const person = newPerson({ email });
    expect(await accept(people.browser(), token)).toMatchObject(refused('unauthenticated'));
    expect(await lastRefusal()).toBe('unauthenticated');
    expect(await api.stores.logins.accountOf(login(person))).toBeNull();
  });

  test('that was revoked in between is not accepted', async () => {
    const { owner, token } = await invite('revoked@example.org');
    const person = newPerson();
    const { sealed, url } = await begin(people.browser(), { invitation_token: token });
    const back = await server.visit(url);
    const path = `/api/account/environments/${owner.environment}/invitations`;
    const listed = await owner.browser.call(path);
    const [{ id }] = listed.body.items as [{ id: number }];
    await owner.browser.call(`${path}/${id}`, { method: 'DELETE' });
    expect(await comeBack(sealed, back)).toMatchObject(refused('not_found'));
    expect(await lastRefusal()).toBe('not_found');
    expect(await api.stores.logins.accountOf(login(person))).toBeNull();
  });
});

test('the capabilities name the ways to sign in', async () => {
  const { body } = await people.browser().call('/api/capabilities');
  expect(body.sign_in).toEqual(['password', 'oidc']);
});

describe('an installation', () => {
  test('without a provider has nothing to begin', async () => {
    await using other = await startApi(createMigratedDatabase);
    const browser = (await People.of(other)).browser();
    const none = { status: 404, body: { code: 'not_found' } };
    expect(await browser.call('/api/auth/oidc')).toMatchObject(none);
    expect(await browser.call('/api/auth/oidc', { body: {} })).toMatchObject(none);
    const { body } = await browser.call('/api/capabilities');
    expect(body.sign_in).toEqual(['password']);
  });

  test('without a key for secrets begins no sign-in', async () => {
    const sealer = new AesSecretBox(null).sealer('sign-on');
    const changes = { identityProvider: provider, sealer };
    await using other = await startApi(createMigratedDatabase, changes);
    const browser = (await People.of(other)).browser();
    expect(await browser.call('/api/auth/oidc', { body: {} })).toMatchObject({
      status: 409,
      body: { code: 'no_secret_key' },
    });
    expect(await comeBackTo(other, 'sightline_oidc=x')).toBe(
      '/console/sign-in?error=no_secret_key',
    );
  });

  async function comeBackTo({ base }: ApiServer, cookie: string) {
    const path = '/api/auth/oidc/callback?code=1&state=1';
    const headers = { Cookie: cookie };
    const response = await fetch(base + path, { redirect: 'manual', headers });
    return response.headers.get('location');
  }
});
