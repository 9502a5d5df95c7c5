import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type TestConnection, withClient } from '@sightline/test/support/servers/test-server';
import { type ApiServer, startApi } from '../../testing/api-server.ts';
import { type Browser, type Call, PASSWORD, People, type Person } from '../../testing/browser.ts';

const REQUESTS = 1000;
/** Tables that refused sign-ins are recorded in. Their entries expire. */
const RECORDS = ['audit', 'sign_in_failures'];

let api: ApiServer;
let connection: TestConnection;
let admin: Person;
let ada: Person & { readonly environment: number };
/** A person of whom Ada must see nothing. */
let bob: Person & { readonly environment: number; readonly key: number; readonly session: number };
let people: People;
/** The tokens of sessions that are over. */
let stale: Readonly<Record<'expired' | 'ended', string>>;

beforeAll(async () => {
  api = await startApi(async () => {
    const database = await createMigratedDatabase();
    ({ connection } = database);
    return database;
  });
  people = await People.of(api);
  admin = await people.signedIn({ isAdmin: true });
  ada = await people.settled();
  const { environment, ...other } = await people.settled();
  const body = { environment_id: environment, label: 'camera', type: 'read' };
  const key = (await other.browser.call('/api/account/keys', { body })).body as { id: number };
  const sessions = (await other.browser.call('/api/account/sessions')).body as {
    items: [{ id: number }];
  };
  bob = { ...other, environment, key: key.id, session: sessions.items[0].id };
  const expired = await people.signedIn();
  const ended = await people.signedIn();
  const tokenOf = ({ browser }: Person) => browser.cookie!.split('=')[1]!;
  stale = { expired: tokenOf(expired), ended: tokenOf(ended) };
  await ended.browser.call('/api/auth/sign-out', { method: 'POST' });
  await withClient(connection, (client) =>
    client.query(
      `UPDATE sessions SET last_used_at = now() - interval '8 days' WHERE account_id = $1`,
      [expired.account.id],
    ),
  );
});
afterAll(() => api[Symbol.asyncDispose]());

interface BadRequest extends Call {
  /** The ruled answer. */
  readonly answer: string;
  readonly path: string;
  /** By default that of Ada. */
  readonly browser?: Browser;
}

function badRequests(): readonly BadRequest[] {
  const mine = `/api/account/environments/${ada.environment}`;
  const theirs = `/api/account/environments/${bob.environment}`;
  const ofAdmin = { path: '/api/account/users', browser: admin.browser };
  const keys = { path: '/api/account/keys' };
  const key = { environment_id: ada.environment, label: 'key', type: 'read' };
  const token = ada.browser.cookie!.split('=')[1]!;
  const flipped = (token.startsWith('A') ? 'B' : 'A') + token.slice(1);
  const random = randomBytes(32).toString('base64url');
  const invalid = [
    ...['', 'ada', 'ada@', '@example.org', 'a b@example.org', `${'a'.repeat(400)}@b.c`].flatMap(
      (email) => [
        { ...ofAdmin, body: { email } },
        { path: `${mine}/invitations`, body: { email, role: 'viewer' } },
      ],
    ),
    ...['ninechars', 'x'.repeat(1000)].flatMap((password) => [
      { ...ofAdmin, body: { email: 'eve@example.org', password } },
      {
        path: '/api/account/password',
        method: 'PUT',
        body: { current_password: PASSWORD, new_password: password },
      },
    ]),
    { ...keys, body: { ...key, expires_at: '2020-01-01T00:00:00Z' } },
    { ...keys, body: { ...key, expires_at: 'soon' } },
    { ...keys, body: { ...key, type: 'admin' } },
    { path: `${mine}/invitations`, body: { email: 'eve@example.org', role: 'king' } },
    { path: `${mine}/members/${ada.account.id}`, method: 'PATCH', body: { role: 'king' } },
  ];
  const unknown = [
    { path: theirs },
    { path: theirs, method: 'PATCH', body: { name: 'mine' } },
    { path: theirs, method: 'DELETE' },
    { path: `${theirs}/members` },
    { path: `${theirs}/members/${bob.account.id}`, method: 'PATCH', body: { role: 'viewer' } },
    { path: `${theirs}/members/${bob.account.id}`, method: 'DELETE' },
    { path: `${theirs}/invitations` },
    { path: `${theirs}/invitations`, body: { email: 'eve@example.org', role: 'owner' } },
    { ...keys, body: { ...key, environment_id: bob.environment } },
    { ...keys, body: { ...key, environment_id: 2 ** 31 - 1 } },
    {
      path: '/api/account/me',
      method: 'PATCH',
      body: { default_environment_id: bob.environment },
    },
    { path: '/api/stats', headers: { 'X-Environment-Id': String(bob.environment) } },
    { path: `${mine}/members/${bob.account.id}`, method: 'PATCH', body: { role: 'viewer' } },
    { path: `${mine}/members/${bob.account.id}`, method: 'DELETE' },
    { path: `${mine}/members/unknown`, method: 'DELETE' },
    { path: `${mine}/invitations/999999`, method: 'DELETE' },
    { path: `/api/account/keys/${bob.key}`, method: 'DELETE' },
    { path: `/api/account/sessions/${bob.session}`, method: 'DELETE' },
    { path: '/api/auth/invitations/accept', body: { token: random } },
  ];
  const cookies = [
    '',
    flipped,
    token.slice(0, -1),
    random,
    `${token}; sightline_session=${token}`,
    `${token}; sightline_session=${flipped}`,
    stale.expired,
    stale.ended,
  ].map((value) => ({
    path: '/api/account/me',
    headers: { Cookie: `sightline_session=${value}` },
  }));
  return [
    ...invalid.map((request) => ({ ...request, answer: '400 invalid_request' })),
    ...unknown.map((request) => ({ ...request, answer: '404 not_found' })),
    ...cookies.map((request) => ({ ...request, answer: '401 unauthenticated' })),
    { path: '/api/account/users', answer: '403 admin_required' },
  ];
}

/** The sign-ins with a wrong password: five are tried, and the others are refused. */
const SIGN_IN = {
  path: '/api/auth/sign-in/email',
  body: { email: 'unknown@example.org', password: 'not the password' },
};

/** A digest of the rows of each table, by the name of the table. */
async function rows(): Promise<Readonly<Record<string, string>>> {
  return withClient(connection, async (client) => {
    const tables = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class
       WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace`,
    );
    const digests: Record<string, string> = {};
    for (const { name } of tables.rows.filter((table) => !RECORDS.includes(table.name))) {
      const digest = await client.query<{ digest: string }>(
        `SELECT count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' ORDER BY t::text)), '')
           AS digest FROM ${client.escapeIdentifier(name)} t`,
      );
      digests[name] = digest.rows[0]!.digest;
    }
    return digests;
  });
}

test('a thousand bad requests each get their code, and leave no row and no session', async () => {
  const before = await rows();
  expect(before).toMatchObject({ sessions: expect.stringMatching(/^4 /) });
  const requests = badRequests();
  const wrong = new Set<string>();
  for (let n = 0; n < REQUESTS; n++) {
    const { answer, path, browser = ada.browser, ...call } = requests[n % requests.length]!;
    const { status, body } = await browser.call(path, call);
    const got = `${status} ${(body as { code: string } | null)?.code}`;
    if (got !== answer) wrong.add(`${call.method} ${path} ${JSON.stringify(call.body)}: ${got}`);
  }
  expect([...wrong]).toEqual([]);
  const signIns = [];
  for (let n = 0; n < 10; n++) signIns.push(await people.browser().call(SIGN_IN.path, SIGN_IN));
  const codes = signIns.map(({ body }) => (body as { code: string }).code);
  expect(codes).toEqual([
    ...Array<string>(5).fill('invalid_credentials'),
    ...Array<string>(5).fill('rate_limited'),
  ]);
  expect(await rows()).toEqual(before);
});
