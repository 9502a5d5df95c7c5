import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { drawPhoto } from '../support/fixtures/draw-photo.ts';
import { type RunningStandalone, startStandalone } from '../support/services/running-standalone.ts';

const PAGE = { 'Sec-Fetch-Site': 'same-origin' };

let service: RunningStandalone;
let password: string;

beforeAll(async () => {
  service = await startStandalone();
  password = (await readFile(join(service.data, 'admin-password'), 'utf8')).trim();
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
});

/** Sends a request of a page, as a browser does. */
function send(
  path: string,
  {
    cookie = '',
    method = 'GET',
    body,
  }: {
    readonly cookie?: string;
    readonly method?: string;
    readonly body?: object;
  } = {},
): Promise<Response> {
  return fetch(service.url + path, {
    method,
    headers: { ...PAGE, Cookie: cookie, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

async function signIn(email: string, secret: string): Promise<string> {
  const body = { email, password: secret };
  const response = await send('/api/auth/sign-in/email', { method: 'POST', body });
  expect(response.status).toBe(200);
  return response.headers.getSetCookie()[0]!.split(';')[0]!;
}

async function json<T>(response: Promise<Response>): Promise<T> {
  return (await (await response).json()) as T;
}

describe('a new installation', () => {
  test('has an administrator, whose password only the owner of the data can read', async () => {
    const { mode } = await stat(join(service.data, 'admin-password'));
    expect(mode & 0o777).toBe(0o600);
    const cookie = await signIn('admin@localhost', password);
    const session = await json<object>(send('/api/auth/session', { cookie }));
    expect(session).toMatchObject({ user: { is_admin: true, must_change_password: true } });
    // The first key belongs to the environment that the administrator owns.
    const { items } = await json<{ items: object[] }>(
      send('/api/account/environments', { cookie }),
    );
    expect(items).toMatchObject([{ name: 'default', role: 'owner' }]);
    expect((await send('/api/account/keys', { cookie })).status).toBe(200);
  });

  test('is shared by people, who see nothing of each other', async () => {
    const admin = await signIn('admin@localhost', password);
    const made = await service.sightline('user', 'create', 'ada@example.org', '--name', 'Ada');
    expect(await service.sightline('user', 'list')).toContain('ada@example.org');
    const first = await signIn('ada@example.org', made.trim());
    const change = { current_password: made.trim(), new_password: 'a password of my own' };
    const put = { cookie: first, method: 'PUT', body: change };
    expect((await send('/api/account/password', put)).status).toBe(204);
    const ada = await signIn('ada@example.org', 'a password of my own');

    const home = { cookie: ada, method: 'POST', body: { name: 'home' } };
    const { id } = await json<{ id: number }>(send('/api/account/environments', home));
    const request = { environment_id: id, label: 'camera', type: 'full' };
    const post = { cookie: ada, method: 'POST', body: request };
    const { key } = await json<{ key: string }>(send('/api/account/keys', post));
    const form = new FormData();
    form.set('file', await drawPhoto({ faces: ['Zoe'] }));
    const headers = { 'X-API-Key': key };
    const detected = await fetch(`${service.url}/api/detect/faces`, {
      method: 'POST',
      headers,
      body: form,
    });
    expect(detected.status).toBe(200);
    const images = (cookie: string) =>
      json<{ items: object[] }>(send('/api/images', { cookie })).then(({ items }) => items.length);
    expect(await images(ada)).toBe(1);
    expect(await images(admin)).toBe(0);

    await service.sightline('user', 'disable', 'ada@example.org');
    const end = performance.now() + 5_000;
    const isRefused = async () => {
      const byKey = await fetch(`${service.url}/api/stats`, { headers });
      const bySession = await send('/api/stats', { cookie: ada });
      return byKey.status === 401 && bySession.status === 401;
    };
    while (performance.now() < end && !(await isRefused()));
    expect(await isRefused()).toBe(true);
    const again = await service.sightline('user', 'reset-password', 'ada@example.org');
    await signIn('ada@example.org', again.trim());
  });

  test('writes no password, token or key into its log', async () => {
    const cookie = await signIn('admin@localhost', password);
    const log = service.log.join('\n');
    for (const secret of [password, cookie.split('=')[1]!]) expect(log).not.toContain(secret);
  });
});
