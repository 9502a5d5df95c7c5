import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import type { Client } from '@sightline/contracts/client';
import { drawPhoto } from '../support/fixtures/draw-photo.ts';
import { describeInCompositions } from '../support/services/compositions.ts';
import { ok } from '../support/services/ok.ts';
import type { SharedService } from '../support/services/shared-service.ts';
import { type Person, signedIn } from '../support/services/signed-in.ts';
import { waitUntil } from '../support/waits/wait-until.ts';

const PASSWORD = 'a password of my own';

/** Waits until all of these answers in a row have the status, because requests may reach several processes. */
async function until(status: number, send: () => Promise<{ readonly status: number }>) {
  let same = 0;
  const look = async () => {
    const answer = await send();
    same = answer.status === status ? same + 1 : 0;
    return answer.status;
  };
  await waitUntil(`eight answers are ${status}`, look, { isDone: () => same === 8, pauseMs: 20 });
}

describeInCompositions('an installation that people share', (takeEnvironment) => {
  let service: SharedService;
  let ada: Person;
  let environments: number[];

  beforeAll(async () => {
    service = await takeEnvironment();
    const email = `${randomUUID()}@example.org`;
    const password = (await service.sightline('user', 'create', email, '--admin')).trim();
    ada = await signedIn(service, { email, password });
    await ada.replacePassword();
    environments = [];
    for (const name of ['home', 'work', 'club']) {
      environments.push(ok(await ada.client.createEnvironment({ body: { name } })).id);
    }
  });

  /** A new person, who accepts an invitation of Ada's to an environment. */
  async function invited(environmentId: number, role: 'viewer' | 'owner'): Promise<Person> {
    const email = `${randomUUID()}@example.org`;
    const body = { email, role };
    const { url } = ok(await ada.client.createInvitation({ path: { id: environmentId }, body }));
    const response = await fetch(`${service.url}/api/auth/invitations/accept`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' },
      body: JSON.stringify({ token: url.split('#')[1], password: PASSWORD }),
    });
    expect(response.status).toBe(200);
    return signedIn(service, { email, password: PASSWORD });
  }

  const within = (environmentId: number) => ({ 'X-Environment-Id': String(environmentId) });
  const statsOf = (client: Client, environmentId: number) =>
    client.getStats({ headers: within(environmentId) });

  test('gives each member and each key what the role and the type allow', async () => {
    const [home, work] = environments as [number, number];
    const file = await drawPhoto({ faces: ['Eva'] });
    const keys: Record<string, Client> = {};
    for (const type of ['read', 'review', 'full'] as const) {
      const body = { environment_id: home, label: type, type };
      keys[type] = service.clientWith(ok(await ada.client.createKey({ body })).key);
    }
    const { faces } = ok(await keys.full!.detectFaces({ body: { file } }));
    const face = { path: { id: faces[0]!.detection_id } };
    expect((await keys.read!.rejectFace(face)).status).toBe(403);
    expect((await keys.review!.rejectFace(face)).status).toBe(200);
    expect((await keys.review!.deleteDetection(face)).status).toBe(403);

    const bob = await invited(home, 'viewer');
    const { items } = ok(await bob.client.listEnvironments({}));
    expect(items).toMatchObject([{ id: home, role: 'viewer' }]);
    expect((await statsOf(bob.client, work)).status).toBe(404);
    expect((await bob.client.deleteDetection({ ...face, headers: within(home) })).status).toBe(403);
    const { id: account } = ok(await bob.client.getProfile({}));
    const member = { path: { id: home, account_id: account } };
    ok(await ada.client.changeMember({ ...member, body: { role: 'editor' } }));
    // The role is known to every process within five seconds; then Bob may delete the face once.
    await until(200, () => bob.client.queryDetections({ body: { detection_ids: [] } }));
    const deleteFace = () => bob.client.deleteDetection({ ...face, headers: within(home) });
    const deleted = await waitUntil('Bob may delete', deleteFace, {
      isDone: ({ status }) => status !== 403,
    });
    expect([200, 204]).toContain(deleted.status);
    expect((await ada.client.removeMember(member)).status).toBe(204);
    await until(404, () => statsOf(bob.client, home));

    const audit = ok(await ada.client.listAudit({ headers: within(home), query: { limit: 200 } }));
    const done = audit.items.map(({ entity_type, action }) => `${entity_type} ${action}`);
    for (const action of ['key create', 'detection reject', 'invitation accept', 'member remove']) {
      expect(done).toContain(action);
    }
    expect(
      audit.items.find(
        ({ entity_type, action }) => entity_type === 'detection' && action === 'delete',
      ),
    ).toMatchObject({
      user_id: account,
    });
  });

  test('refuses a session everywhere after its sign-out', async () => {
    const [, , club] = environments as [number, number, number];
    const carl = await invited(club, 'owner');
    ok(await statsOf(carl.client, club));
    expect((await carl.client.signOut({})).status).toBe(204);
    await until(401, () => statsOf(carl.client, club));
  });

  test('refuses the keys of an owner who leaves', async () => {
    const [, , club] = environments as [number, number, number];
    const dora = await invited(club, 'owner');
    const body = { environment_id: club, label: 'camera', type: 'read' } as const;
    const camera = service.clientWith(ok(await dora.client.createKey({ body })).key);
    ok(await camera.getStats({}));
    const { id } = ok(await dora.client.getProfile({}));
    const own = { path: { id: club, account_id: id } };
    expect((await dora.client.removeMember(own)).status).toBe(204);
    await until(401, () => camera.getStats({}));
    expect((await dora.client.listKeys({})).body!.items).toEqual([]);
  });
});
