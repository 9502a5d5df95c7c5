import { describe, expect, test } from '@jest/globals';
import type { RequiredRight } from '@sightline/contracts/define-contract';
import { CrossSite, Unauthenticated } from '@sightline/core/access/access-errors';
import type { Caller } from '@sightline/core/access/caller';
import type { Account, MemberRole } from '@sightline/core/accounts/account';
import type { Session } from '@sightline/core/accounts/session-authenticator';
import { TrustedProxies } from '@sightline/platform/http/client-address';
import { Authorizer, type AuthorizedRequest } from './authorizer.ts';
import { SessionCookie } from './session-cookie.ts';

const { signal } = new AbortController();
const HOST = 'faces.example';
const OWN = `https://${HOST}`;

const key = { accountId: null, environmentId: 3, countedOwnerId: null } as const;
const CALLERS: Readonly<Record<string, Caller>> = {
  reader: { ...key, keyId: 1, right: 'read', isAdmin: false },
  reviewer: { ...key, keyId: 2, right: 'review', isAdmin: false },
  writer: { ...key, keyId: 3, right: 'owner', isAdmin: false },
  admin: { ...key, keyId: 4, right: 'owner', isAdmin: true },
  readingAdmin: { ...key, keyId: 5, right: 'read', isAdmin: true },
};

function accountOf(changes: Partial<Account> = {}): Account {
  return {
    id: 'ada',
    email: 'ada@example.org',
    emailVerified: true,
    name: 'Ada',
    locale: null,
    isAdmin: false,
    isDisabled: false,
    passwordBy: 'owner',
    defaultEnvironmentId: null,
    createdAt: new Date(0),
    ...changes,
  };
}

/** The sessions by their tokens. Each account is a member of environment 7 in the role that its token names. */
const ACCOUNTS: Readonly<Record<string, Account>> = {
  viewer: accountOf(),
  reviewer: accountOf(),
  editor: accountOf(),
  owner: accountOf(),
  outsider: accountOf(),
  administrator: accountOf({ isAdmin: true }),
  newAdministrator: accountOf({ isAdmin: true, passwordBy: 'administrator' }),
  newcomer: accountOf({ passwordBy: 'administrator' }),
  first: accountOf({ passwordBy: 'service' }),
};
const ROLES: Readonly<Record<string, MemberRole>> = { administrator: 'viewer', first: 'owner' };

function findSession(token: string, environmentId: number | null): Promise<Session> {
  const account = ACCOUNTS[token];
  if (account === undefined) return Promise.reject(new Unauthenticated());
  const isMember = token !== 'outsider' && (environmentId ?? 7) === 7;
  const role = ROLES[token] ?? (token as MemberRole);
  return Promise.resolve({
    id: 1,
    account,
    membership: isMember ? { environmentId: 7, countedOwnerId: null, role } : null,
  });
}

const authorizer = new Authorizer({
  keys: {
    authenticate: (text) => {
      const caller = CALLERS[text];
      return caller === undefined ? Promise.reject(new Unauthenticated()) : Promise.resolve(caller);
    },
  },
  sessions: { authenticate: findSession },
  cookie: new SessionCookie(false),
  publicOrigin: null,
  proxies: new TrustedProxies(['10.0.0.0/8']),
});

function requestOf(
  headers: Readonly<Record<string, string>>,
  method = 'GET',
  remoteAddress = '192.0.2.1',
): AuthorizedRequest {
  return { headers: { host: HOST, ...headers }, method, socket: { remoteAddress } };
}

const authorize = (
  right: RequiredRight,
  headers: Readonly<Record<string, string>>,
  method?: string,
) => authorizer.authorize(right, requestOf(headers, method), signal);
const cookie = (token: string) => ({ cookie: `theme=dark; sightline_session=${token}` });
const SAME = { 'sec-fetch-site': 'same-origin' };
const ENVIRONMENT_RIGHTS = ['read', 'review', 'full', 'owner', 'admin'] as const;

describe('a request with a key', () => {
  test.each(ENVIRONMENT_RIGHTS)('needs a valid key for %s', async (right) => {
    const refusal = { code: 'unauthenticated' };
    await expect(authorize(right, {})).rejects.toMatchObject(refusal);
    await expect(authorize(right, { 'x-api-key': 'wrong' })).rejects.toMatchObject(refusal);
  });

  test.each([
    ['read', 'reader'],
    ['read', 'admin'],
    ['read', 'readingAdmin'],
    ['review', 'reviewer'],
    ['review', 'writer'],
    ['full', 'writer'],
    ['owner', 'writer'],
    ['owner', 'admin'],
    ['admin', 'admin'],
  ] as const)('is allowed, for %s: %s', async (right, name) => {
    const { caller } = await authorize(right, { 'x-api-key': name });
    expect(caller).toBe(CALLERS[name]);
  });

  test.each([
    ['review', 'reader', 'forbidden'],
    ['full', 'reviewer', 'forbidden'],
    ['owner', 'readingAdmin', 'forbidden'],
    ['admin', 'reader', 'admin_required'],
    ['admin', 'writer', 'admin_required'],
    ['admin', 'readingAdmin', 'forbidden'],
  ] as const)('is refused, for %s: %s, with %s', async (right, name, code) => {
    await expect(authorize(right, { 'x-api-key': name })).rejects.toMatchObject({ code });
  });

  test('is that of the key, whatever the cookie says', async () => {
    const { caller } = await authorize('read', {
      'x-api-key': 'reader',
      ...cookie('owner'),
      ...SAME,
    });
    expect(caller).toBe(CALLERS.reader);
    const wrong = { 'x-api-key': 'wrong', ...cookie('owner'), ...SAME };
    await expect(authorize('read', wrong)).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  test.each(['signed-in', 'account', 'administrator'] as const)(
    'is no session: %s',
    async (right) => {
      const headers = { 'x-api-key': 'admin', ...cookie('administrator'), ...SAME };
      await expect(authorize(right, headers)).rejects.toMatchObject({ code: 'unauthenticated' });
    },
  );
});

describe('a request with a session', () => {
  test.each([
    ['read', 'viewer'],
    ['review', 'reviewer'],
    ['full', 'editor'],
    ['owner', 'owner'],
    ['owner', 'first'],
    ['admin', 'administrator'],
  ] as const)('is allowed, for %s: %s', async (right, role) => {
    const { caller } = await authorize(right, { ...cookie(role), ...SAME });
    expect(caller).toMatchObject({ keyId: null, accountId: 'ada', environmentId: 7 });
  });

  test.each([
    ['review', 'viewer', 'forbidden'],
    ['full', 'reviewer', 'forbidden'],
    ['owner', 'editor', 'forbidden'],
    ['full', 'administrator', 'forbidden'],
    ['admin', 'owner', 'admin_required'],
    ['read', 'outsider', 'no_environment'],
    ['read', 'newcomer', 'password_change_required'],
    ['account', 'newcomer', 'password_change_required'],
    ['administrator', 'owner', 'admin_required'],
    ['read', 'forged', 'unauthenticated'],
    ['signed-in', 'forged', 'unauthenticated'],
  ] as const)('is refused, for %s: %s, with %s', async (right, token, code) => {
    await expect(authorize(right, { ...cookie(token), ...SAME })).rejects.toMatchObject({ code });
  });

  test('needs no new password to change the password', async () => {
    const { session } = await authorize('signed-in', { ...cookie('newcomer'), ...SAME }, 'PUT');
    expect(session).toMatchObject({ account: { passwordBy: 'administrator' } });
  });

  test('names its environment, which must be one of the account', async () => {
    const named = (id: string) =>
      authorize('read', { ...cookie('viewer'), ...SAME, 'x-environment-id': id });
    expect((await named('7')).caller).toMatchObject({ environmentId: 7 });
    await expect(named('8')).rejects.toMatchObject({ code: 'not_found' });
    for (const wrong of ['', '0', '-1', '7.0', 'x', '7, 7', '99999999999999999999']) {
      await expect(named(wrong)).rejects.toMatchObject({ code: 'invalid_request' });
      const forged = { ...cookie('forged'), ...SAME, 'x-environment-id': wrong };
      await expect(authorize('read', forged)).rejects.toMatchObject({ code: 'unauthenticated' });
    }
  });

  test('has one cookie', async () => {
    const twice = { cookie: 'sightline_session=owner; sightline_session=viewer', ...SAME };
    for (const right of ['read', 'account', 'visitor'] as const) {
      await expect(authorize(right, twice)).rejects.toMatchObject({ code: 'unauthenticated' });
    }
  });
});

describe('a request with several cookies of sessions', () => {
  const twice = { cookie: 'sightline_session=owner; theme=dark; sightline_session=viewer' };
  const ambiguous = (headers: Readonly<Record<string, string>>, method = 'POST') =>
    authorizer.authorizeAmbiguous(requestOf(headers, method));

  test('may begin or end a session, and has none', () => {
    const found = ambiguous({ ...twice, ...SAME });
    expect(found).toMatchObject({ visitor: { ambiguousTokens: ['owner', 'viewer'] } });
    expect(found).not.toHaveProperty('session');
    expect(() => ambiguous(twice)).toThrow(CrossSite);
    expect(ambiguous(twice, 'GET')).not.toHaveProperty('session');
    for (const method of ['GET', 'POST']) {
      const foreign = { ...twice, 'sec-fetch-site': 'same-site' };
      expect(() => ambiguous(foreign, method)).toThrow(CrossSite);
    }
  });

  test('is none with one cookie', () => {
    expect(ambiguous({ ...cookie('owner'), ...SAME })).toBeNull();
    expect(ambiguous(SAME)).toBeNull();
  });

  const removedAt = (host: string) => new SessionCookie(false).clearOthers(`http://${host}:8080`);

  test('gets headers that remove the cookies of all paths and domains', () => {
    const removed = removedAt('a.b.example');
    const path = (text: string) => removed.filter((each) => each.includes(`Path=${text};`));
    expect(path('/')).toEqual([
      'sightline_session=; Max-Age=0; Path=/; Domain=a.b.example',
      'sightline_session=; Max-Age=0; Path=/; Domain=b.example',
    ]);
    for (const folder of ['/api', '/api/', '/api/auth', '/api/account', '/console']) {
      expect(removed).toContain(`sightline_session=; Max-Age=0; Path=${folder}`);
      expect(path(folder)).toHaveLength(2);
    }
    const ofAddress = removedAt('[::1]');
    expect(ofAddress).toContain('sightline_session=; Max-Age=0; Path=/api');
    expect(ofAddress.filter((each) => each.includes('Domain'))).toEqual([]);
    // A browser accepts one cookie of this name alone.
    expect(new SessionCookie(true).clearOthers('https://a.example')).toEqual([]);
  });

  test('gets few headers, whatever host it names', () => {
    const deep = removedAt(`${'a.'.repeat(120)}b.c.d.example`);
    expect(deep).toContain('sightline_session=; Max-Age=0; Path=/api; Domain=b.c.d.example');
    expect(deep).toContain(
      `sightline_session=; Max-Age=0; Path=/; Domain=${'a.'.repeat(120)}b.c.d.example`,
    );
    expect(deep.length).toBeLessThan(50);
    const domains = removedAt(`${'a.'.repeat(7000)}example`).filter((each) =>
      each.includes('Domain'),
    );
    expect(domains).toEqual([]);
  });
});

describe('a request for the installation', () => {
  const administrator = (headers: Readonly<Record<string, string>>, method = 'GET') =>
    authorizer.authorizeAdministrator(requestOf(headers, method), signal);

  test('needs no environment with the session of an administrator', async () => {
    const found = await administrator({ ...cookie('administrator'), ...SAME }, 'PUT');
    expect(found).toMatchObject({ session: { account: { isAdmin: true } } });
    expect(found).not.toHaveProperty('caller');
  });

  test('is an ordinary one of other accounts and of keys', async () => {
    expect(await administrator({ ...cookie('owner'), ...SAME })).toBeNull();
    expect(await administrator({ 'x-api-key': 'admin' })).toBeNull();
    const both = { 'x-api-key': 'reader', ...cookie('administrator'), ...SAME };
    expect(await administrator(both)).toBeNull();
  });

  test.each([
    ['cross_site', cookie('administrator'), 'PUT'],
    ['password_change_required', { ...cookie('newAdministrator'), ...SAME }, 'GET'],
    ['unauthenticated', { ...cookie('forged'), ...SAME }, 'GET'],
    ['unauthenticated', SAME, 'GET'],
    ['invalid_request', { ...cookie('administrator'), ...SAME, 'x-environment-id': 'x' }, 'GET'],
    ['unauthenticated', { ...cookie('forged'), ...SAME, 'x-environment-id': 'x' }, 'GET'],
  ])('is refused like any other one: %s', async (code, headers, method) => {
    await expect(administrator(headers, method)).rejects.toMatchObject({ code });
  });
});

const SITES = {
  'same origin': [SAME, 'session', 'session'],
  'same origin with an Origin': [{ ...SAME, origin: OWN }, 'session', 'session'],
  'an equal Origin alone': [{ origin: OWN }, 'session', 'session'],
  'an Origin without the default port that Host has': [
    { origin: OWN, host: `${HOST}:443` },
    'session',
    'session',
  ],
  'a Host with the default port of another scheme': [
    { origin: OWN, host: `${HOST}:80` },
    'cross_site',
    'cross_site',
  ],
  'no page': [{ 'sec-fetch-site': 'none' }, 'session', 'cross_site'],
  'neither header': [{}, 'session', 'cross_site'],
  'the same site': [{ 'sec-fetch-site': 'same-site' }, 'cross_site', 'cross_site'],
  'another site': [{ 'sec-fetch-site': 'cross-site' }, 'cross_site', 'cross_site'],
  'another Origin': [{ origin: 'https://evil.example' }, 'cross_site', 'cross_site'],
  'another port': [{ origin: `${OWN}:8443` }, 'cross_site', 'cross_site'],
  'an opaque Origin': [{ origin: 'null' }, 'cross_site', 'cross_site'],
  'headers that contradict each other': [
    { ...SAME, origin: 'https://evil.example' },
    'cross_site',
    'cross_site',
  ],
  'no page with an opaque Origin': [
    { 'sec-fetch-site': 'none', origin: 'null' },
    'cross_site',
    'cross_site',
  ],
} as const;

describe('the site of a request decides whether its cookie counts', () => {
  const outcome = (authorized: ReturnType<typeof authorize>) =>
    authorized.then(
      ({ session }) => (session === undefined ? 'nobody' : 'session'),
      (error: unknown) => (error as { code: string }).code,
    );

  test.each(Object.entries(SITES))('%s', async (_, [headers, onRead, onWrite]) => {
    const given = { ...cookie('owner'), ...headers };
    for (const right of ['read', 'account', 'visitor'] as const) {
      for (const method of ['GET', 'HEAD']) {
        expect(await outcome(authorize(right, given, method))).toBe(onRead);
      }
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        expect(await outcome(authorize(right, given, method))).toBe(onWrite);
      }
    }
  });

  test.each(Object.entries(SITES))('%s, without a cookie', async (_, [headers, onRead]) => {
    const isForeign = onRead === 'cross_site';
    expect(await outcome(authorize('visitor', headers, 'POST'))).toBe(
      isForeign ? 'cross_site' : 'nobody',
    );
    expect(await outcome(authorize('read', headers))).toBe('unauthenticated');
  });
});

test('the address of a client behind a trusted proxy is the one that the proxy names', async () => {
  const addressOf = async (peer: string, forwarded: string) => {
    const request = requestOf({ 'x-forwarded-for': forwarded }, 'GET', peer);
    return (await authorizer.authorize('none', request, signal)).visitor.address;
  };
  expect(await addressOf('10.0.0.1', '203.0.113.9, 198.51.100.7')).toBe('198.51.100.7');
  expect(await addressOf('192.0.2.1', '203.0.113.9')).toBe('192.0.2.1');
  const { visitor } = await authorizer.authorize(
    'none',
    requestOf({}, 'GET', '2001:db8:1:2:3:4:5:6'),
    signal,
  );
  expect(visitor.countedAddress).toBe('2001:db8:1:2');
});
