import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { freshPhoto, people } from '../support/fixtures/draw-photo.ts';
import { endLeasesIn } from '../support/fixtures/end-leases.ts';
import { preparedData } from '../support/fixtures/temporary-data.ts';
import { sampled } from '../support/gates/soak.ts';
import { ok } from '../support/services/ok.ts';
import { type RunningStandalone, startStandalone } from '../support/services/running-standalone.ts';

const PHOTOS = 5;

test.each(sampled(['before-commit', 'after-commit'], 1))(
  'a bulk review that is killed %s leaves whole faces, and the same request does the rest',
  async (point) => {
    await using data = await preparedData();
    const settings = { SIGHTLINE_DATA: data.path };
    const dying = await startStandalone(
      // The review commits groups of faces. The first group is stored, and the process dies with the second.
      { ...settings, SIGHTLINE_TEST_DIE_AT: point, SIGHTLINE_TEST_DIE_TIME: '2' },
      { main: 'test/faults/dying-standalone.ts' },
    );
    const { client } = dying;
    const ann = ok(await client.createIdentity({ body: { label: 'Ann', type: 'face' } }));
    const ids: number[] = [];
    for (let i = 0; i < PHOTOS; i++) {
      const file = await freshPhoto({ faces: people(9) });
      const { faces } = ok(await client.detectFaces({ body: { file } }));
      ids.push(...faces.map(({ detection_id }) => detection_id));
    }
    const body = { detection_ids: ids, action: 'confirm', identity_id: ann.id } as const;
    const exit = once(dying.process, 'exit');
    dying.process.kill('SIGUSR2');
    // The signal has arrived before this answer.
    expect(await confirmed(dying, ids)).toEqual([]);
    const answer = client.reviewFaces({ body }).catch(() => 'broken off');
    expect(await exit).toEqual([null, 'SIGKILL']);
    expect(await answer).toBe('broken off');

    await endLeasesIn(data.path);
    await using service = await startStandalone(settings);
    const done = await confirmed(service, ids);
    expect(done.length).toBeGreaterThan(3);
    expect(done.length).toBeLessThan(ids.length);
    expect(done).toEqual(ids.slice(0, done.length));
    const identity = ok(await service.client.getIdentity({ path: { id: ann.id } }));
    expect(identity).toMatchObject({ detection_count: done.length, embedding_count: done.length });
    const again = ok<unknown>(await service.client.reviewFaces({ body }));
    expect(again).toEqual({ processed: ids.length, failed: 0, errors: [] });
    expect(await confirmed(service, ids)).toEqual(ids);
    expect(await service.inconsistencies()).toEqual([]);
  },
);

async function confirmed(
  { client }: RunningStandalone,
  ids: readonly number[],
): Promise<readonly number[]> {
  const faces = await Promise.all(ids.map((id) => client.getDetection({ path: { id } })));
  return ids.filter((_, i) => ok(faces[i]!).review_status === 'confirmed');
}
