import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { drawPhoto } from '../support/fixtures/draw-photo.ts';
import { describeInCompositions } from '../support/services/compositions.ts';
import { ok } from '../support/services/ok.ts';
import { type Person, signedIn } from '../support/services/signed-in.ts';
import type { SharedService } from '../support/services/shared-service.ts';
import { eventually } from '../support/waits/eventually.ts';

describeInCompositions('an environment that is deleted', (takeEnvironment) => {
  let service: SharedService;
  let ada: Person;

  beforeAll(async () => {
    service = await takeEnvironment();
    const email = `${randomUUID()}@example.org`;
    const password = (await service.sightline('user', 'create', email, '--admin')).trim();
    ada = await signedIn(service, { email, password });
    await ada.replacePassword();
  });

  test('disappears with everything, while requests arrive', async () => {
    const { client } = ada;
    const { id } = ok(await client.createEnvironment({ body: { name: 'old' } }));
    ok(await client.createEnvironment({ body: { name: 'new' } }));
    const { key } = ok(
      await client.createKey({ body: { environment_id: id, label: 'camera', type: 'full' } }),
    );
    const camera = service.clientWith(key);
    const file = await drawPhoto({ faces: ['Dora'] });
    ok(await camera.enrollFace({ body: { name: 'Dora', file } }));
    ok(await camera.registerWebhook({ body: { url: 'http://127.0.0.2:9/' } }));
    const bulk = await camera.detectBulk({ body: { file: [file] }, query: { async: true } });
    expect(bulk.status).toBe(202);
    const answers: number[] = [];
    const end = new AbortController();
    const arriving = (async () => {
      for (let n = 0; !end.signal.aborted; n++) {
        const photo = await drawPhoto({ faces: [`Person ${n}`] });
        const { status } = await camera.detectFaces({ body: { file: photo } });
        answers.push(status);
      }
    })();

    expect(await client.deleteEnvironment({ path: { id } })).toMatchObject({
      status: 202,
      body: { job_id: expect.any(Number), status: 'pending' },
    });
    await eventually(async () => (await client.getEnvironment({ path: { id } })).status, 404);
    end.abort();
    await arriving;
    expect(new Set(answers)).toEqual(new Set([...answers].filter((status) => isExpected(status))));
    await eventually(async () => (await camera.getStats({})).status, 401);
    const { items } = ok(await client.listEnvironments({}));
    expect(items.map((environment) => environment.id)).not.toContain(id);
    expect(await client.deleteEnvironment({ path: { id } })).toMatchObject({ status: 404 });
    expect(await service.inconsistencies()).toEqual([]);
  });
});

function isExpected(status: number): boolean {
  return [200, 401, 404].includes(status);
}
