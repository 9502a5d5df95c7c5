import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type ApiServer, startApi } from '../../testing/api-server.ts';
import { type Browser, PASSWORD, People } from '../../testing/browser.ts';
import { oneFace, photo } from '../../testing/people.ts';

let api: ApiServer;
let people: People;

beforeAll(async () => {
  api = await startApi(createMigratedDatabase);
  people = await People.of(api);
});
beforeEach(async () => {
  await api.reset();
  api.analyzer.facesOf = oneFace;
});
afterAll(() => api[Symbol.asyncDispose]());

interface Entry {
  readonly id: number;
  readonly action: string;
  readonly entity_type: string;
  readonly key_id: number | null;
}

const actions = (items: readonly Entry[]) =>
  items.map(({ entity_type, action }) => `${entity_type} ${action}`).toReversed();

async function listed(query: Record<string, string> = {}) {
  const { body } = await api.client.listAudit({ query });
  return body!.items;
}

/** Lists the audit as the person of a browser. */
async function seenBy(
  browser: Browser,
  query = '',
  headers: Readonly<Record<string, string>> = {},
): Promise<readonly Entry[]> {
  const { status, body } = await browser.call(`/api/audit${query}`, { headers });
  expect(status).toBe(200);
  return (body as { items: Entry[] }).items;
}

describe('the audit', () => {
  test('has every curating request, with its key and its id, in the order of time', async () => {
    const enrolled = await api.client.enrollFace({ body: { name: 'Anna', file: photo('0') } });
    const anna = enrolled.body!.identity_id;
    const { body: bert } = await api.client.createIdentity({
      body: { label: 'Bert', type: 'face' },
    });
    const path = { id: bert!.id };
    await api.client.renameIdentity({ path, body: { label: 'Bernd' } });
    await api.client.setIdentityRef({ path, body: { external_ref: 'crm/1' } });
    const { body: detected } = await api.client.detectFaces({ body: { file: photo('90') } });
    const [face] = detected!.faces;
    const id = face!.detection_id;
    await api.client.labelDetection({ path: { id }, body: { identity_id: path.id } });
    await api.client.rejectFace({ path: { id } });
    await api.client.dismissDetections({ body: { detection_ids: [id] } });
    await api.client.deleteDetection({ path: { id } });
    await api.client.mergeIdentity({ path, body: { into: anna } });
    await api.client.deleteIdentity({ path: { id: anna } });
    await api.client.putSetting({ path: { key: 'face.match_threshold' }, body: { value: 0.6 } });
    const items = await listed();
    expect(actions(items)).toEqual([
      'key create',
      'detection enroll',
      'identity create',
      'identity rename',
      'identity set_reference',
      'detection relabel',
      'detection reject',
      'detection dismiss',
      'detection delete',
      'identity merge',
      'identity delete',
      'setting change',
    ]);
    expect(items[1]).toEqual({
      id: expect.any(Number),
      at: expect.any(String),
      environment_id: expect.any(Number),
      user_id: null,
      key_id: expect.any(Number),
      action: 'delete',
      entity_type: 'identity',
      entity_ids: [anna],
      details: {},
      request_id: expect.any(String),
    });
    expect(items.find(({ action }) => action === 'merge')!.entity_ids).toEqual([bert!.id, anna]);
    expect(items[0]).toMatchObject({
      entity_ids: ['face.match_threshold'],
      details: { value: 0.6 },
    });
    // The names of people stay out of it, because they have to disappear with the people.
    expect(JSON.stringify(items)).not.toMatch(/Anna|Bert|Bernd/);
  });

  test('has decisions that come with a photo, replaced detections, and exports', async () => {
    const { body: detected } = await api.client.detectFaces({
      body: { file: photo('0'), label: 'Anna' },
    });
    const [face] = detected!.faces;
    api.analyzer.facesOf = () => [];
    const path = { id: detected!.source_image_id };
    await api.client.reprocessImage({ path, query: { replace: true } });
    const exported = await api.fetch('/api/export', { method: 'POST' });
    await exported.arrayBuffer();
    const items = await listed();
    expect(actions(items)).toEqual([
      'key create',
      'detection relabel',
      'detection delete',
      'library export',
    ]);
    expect(items[2]).toMatchObject({
      entity_ids: [face!.detection_id],
      details: { identity_ids: [face!.identity_id] },
    });
  });

  test('has no entry of a request that changed nothing', async () => {
    await api.client.deleteDetection({ path: { id: 999_999 } });
    await api.client.deleteIdentity({ path: { id: 999_999 } });
    await api.client.dismissDetections({ body: { detection_ids: [999_999] } });
    await api.client.rejectFace({ path: { id: 999_999 } });
    expect(actions(await listed())).toEqual(['key create']);
  });

  test('has the request id of the request', async () => {
    const response = await api.fetch('/api/identities', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Request-Id': 'my-request' },
      body: JSON.stringify({ label: 'Carl', type: 'face' }),
    });
    expect(response.headers.get('x-request-id')).toBe('my-request');
    expect((await listed())[0]!.request_id).toBe('my-request');
  });

  test('names no secret', async () => {
    const body = { url: 'https://example.org/hook?token=hidden', secret: 'a very secret text' };
    const { body: webhook } = await api.client.registerWebhook({
      body: { ...body, events: ['identity.created'] },
    });
    await api.client.changeWebhook({
      path: { id: webhook!.id },
      body: { secret: 'another secret' },
    });
    await api.client.putSetting({ path: { key: 'webhook.url' }, body: { value: body.url } });
    await api.client.deleteWebhook({ path: { id: webhook!.id } });
    const items = await listed();
    expect(actions(items)).toEqual([
      'key create',
      'webhook create',
      'webhook change',
      'setting change',
      'webhook delete',
    ]);
    expect(JSON.stringify(items)).not.toMatch(/hidden|secret text|another secret/);
  });

  test('includes requests that only recognize, if the environment asks for it', async () => {
    const { body: anna } = await api.client.enrollFace({
      body: { name: 'Anna', file: photo('0') },
    });
    await api.client.identifyFaces({ body: { file: photo('0') } });
    await api.client.putSetting({ path: { key: 'audit.reads' }, body: { value: true } });
    await api.client.identifyFaces({ body: { file: photo('0') } });
    await api.client.testImage({ body: { file: photo('0') } });
    await api.client.verifyFaces({ body: { file1: photo('0'), file2: photo('90') } });
    const read = async () => (await listed({ entity_type: 'image' })).toReversed();
    let items = await read();
    while (items.length < 3) items = await read();
    expect(items).toMatchObject([
      { action: 'identify', details: { faces: 1, identity_ids: [anna!.identity_id] } },
      { action: 'test', details: { faces: 1, identity_ids: [anna!.identity_id] } },
      { action: 'verify', details: { match: false }, key_id: expect.any(Number) },
    ]);
  });

  test('is read in pages and filtered', async () => {
    const { body: anna } = await api.client.createIdentity({
      body: { label: 'Anna', type: 'face' },
    });
    const { body: bert } = await api.client.createIdentity({
      body: { label: 'Bert', type: 'face' },
    });
    const path = { id: anna!.id };
    await api.client.mergeIdentity({ path, body: { into: bert!.id } });
    const all = await listed();
    expect(all).toHaveLength(4);
    const pages: Entry[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query = { limit: 1, ...(cursor !== '' && { cursor }) };
      const { body } = await api.client.listAudit({ query });
      pages.push(...body!.items);
      cursor = body!.next_cursor;
    }
    expect(pages).toEqual(all);
    expect(await listed({ action: 'merge' })).toEqual([all[0]]);
    expect(await listed({ entity_id: String(anna!.id), entity_type: 'identity' })).toHaveLength(2);
    expect(await listed({ user_id: 'nobody' })).toEqual([]);
    // The command that made the key has none.
    const keyId = all[0]!.key_id!;
    expect(await listed({ key_id: String(keyId) })).toEqual(all.slice(0, 3));
    expect(await listed({ key_id: String(keyId), action: 'merge' })).toEqual([all[0]]);
    expect(await listed({ key_id: String(keyId + 1) })).toEqual([]);
    const { at } = all[1]!;
    expect(await listed({ since: at })).toEqual(expect.arrayContaining([all[0], all[1]]));
    expect(await listed({ until: '2020-01-01' })).toEqual([]);
    const { problem } = await api.client.listAudit({ query: { cursor: 'x' } });
    expect(problem).toMatchObject({ status: 400, code: 'invalid_request' });
  });

  test('is read by owners, and by administrators for the installation', async () => {
    for (const right of ['read', 'review'] as const) {
      const client = await api.clientOf({ right });
      expect((await client.listAudit({})).problem).toMatchObject({ status: 403 });
    }
    const { problem } = await api.client.listAudit({ query: { scope: 'installation' } });
    expect(problem).toMatchObject({ status: 403, code: 'admin_required' });
    const admin = await people.settled({ isAdmin: true });
    const own = { 'X-Environment-Id': String(admin.environment) };
    const environment = await seenBy(admin.browser, '', own);
    expect(actions(environment)).toEqual(['environment create']);
    const installation = await seenBy(admin.browser, '?scope=installation');
    expect(installation.find(({ action }) => action === 'sign_in')).toMatchObject({
      user_id: admin.account.id,
      entity_ids: [admin.account.id],
      environment_id: null,
    });
  });

  test('of the installation is read by administrators without an environment', async () => {
    // An earlier administrator owns the environments from before.
    await people.newAccount({ isAdmin: true });
    const { browser, account } = await people.signedIn({ isAdmin: true });
    const query = `?scope=installation&entity_id=${account.id}`;
    expect(actions(await seenBy(browser, query))).toEqual(['user create', 'user sign_in']);
    const owner = await people.settled();
    const headers = { 'X-Environment-Id': String(owner.environment) };
    for (const other of ['', '?scope=environment']) {
      expect((await browser.call(`/api/audit${other}`)).body.code).toBe('no_environment');
      expect((await browser.call(`/api/audit${other}`, { headers })).status).toBe(404);
    }
    expect((await browser.call('/api/audit?scope=installations')).status).toBe(400);
    const refused = await owner.browser.call('/api/audit?scope=installation');
    expect(refused).toMatchObject({ status: 403, body: { code: 'admin_required' } });
    const stranger = await people.signedIn();
    const none = await stranger.browser.call('/api/audit?scope=installation');
    expect(none).toMatchObject({ status: 409, body: { code: 'no_environment' } });
  });

  test('has what is done to environments, keys and members', async () => {
    const owner = await people.settled();
    const path = `/api/account/environments/${owner.environment}`;
    await owner.browser.call(path, { method: 'PATCH', body: { name: 'other' } });
    const key = { environment_id: owner.environment, label: 'a', type: 'read' };
    const made = await owner.browser.call('/api/account/keys', { body: key });
    await owner.browser.call(`/api/account/keys/${made.body.id}`, { method: 'DELETE' });
    const invite = async (email: string) => {
      const body = { email, role: 'viewer' };
      const invitation = await owner.browser.call(`${path}/invitations`, { body });
      return invitation.body as { id: number; url: string };
    };
    const revoked = await invite('a@b.c');
    await owner.browser.call(`${path}/invitations/${revoked.id}`, { method: 'DELETE' });
    const { url } = await invite('audited@example.org');
    const accept = { token: url.split('#')[1], password: PASSWORD };
    const guest = people.browser();
    const accepted = await guest.call('/api/auth/invitations/accept', { body: accept });
    const member = `${path}/members/${accepted.body.user.id}`;
    await owner.browser.call(member, { method: 'PATCH', body: { role: 'editor' } });
    await owner.browser.call(member, { method: 'DELETE' });
    const items = await seenBy(owner.browser);
    expect(actions(items)).toEqual([
      'environment create',
      'environment rename',
      'key create',
      'key delete',
      'invitation create',
      'invitation revoke',
      'invitation create',
      'invitation accept',
      'member change',
      'member remove',
    ]);
    // The same name and the same role again are no changes.
    await owner.browser.call(path, { method: 'PATCH', body: { name: 'other' } });
    expect(await seenBy(owner.browser)).toHaveLength(items.length);
    expect(items[0]).toMatchObject({ user_id: owner.account.id, request_id: expect.any(String) });
    expect(items[2]).toMatchObject({ user_id: accepted.body.user.id });
    for (const secret of [made.body.key as string, accept.token!, PASSWORD]) {
      expect(JSON.stringify(items)).not.toContain(secret);
    }
  });

  test('has accounts, passwords, and sign-ins that were refused', async () => {
    const admin = await people.settled({ isAdmin: true });
    const made = await admin.browser.call('/api/account/users', {
      body: { email: 'b@example.org' },
    });
    const { id, password } = made.body as { id: string; password: string };
    await people.browser().signIn('b@example.org', 'wrong password');
    await people.browser().signIn('unknown@example.org', 'wrong password');
    const bert = people.browser();
    await bert.signIn('b@example.org', password);
    const body = { current_password: password, new_password: 'a new password' };
    await bert.call('/api/account/password', { method: 'PUT', body });
    const disabled = { method: 'PATCH', body: { disabled: true } };
    await admin.browser.call(`/api/account/users/${id}`, disabled);
    const items = await seenBy(admin.browser, `?scope=installation&entity_id=${id}`);
    expect(actions(items)).toEqual([
      'user create',
      'user refuse_sign_in',
      'user sign_in',
      'user change_password',
      'user change',
    ]);
    expect(items[0]).toMatchObject({ user_id: admin.account.id, details: { disabled: true } });
    expect(items[3]).toMatchObject({ user_id: null, details: { address: '127.0.0.1' } });
    for (const secret of [password, body.new_password, 'wrong password', 'b@example']) {
      expect(JSON.stringify(items)).not.toContain(secret);
    }
    const all = await seenBy(admin.browser, '?scope=installation&limit=200');
    expect(JSON.stringify(all)).not.toContain('unknown@');
  });
});
