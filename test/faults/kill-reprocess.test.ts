import { expect, test } from '@jest/globals';
import { drawPhoto } from '../support/fixtures/draw-photo.ts';
import { ok } from '../support/services/ok.ts';
import {
  type Death,
  dieOver,
  type DyingLibrary,
  enroll,
  openDyingLibrary,
} from './dying-library.ts';

const DEATHS: readonly Death[] = [
  { point: 'before-commit', time: 1 },
  { point: 'after-commit', time: 1 },
];

test('an image that is reprocessed when the service dies has all old detections or all new ones', async () => {
  await using library = await openDyingLibrary();
  await using services = new AsyncDisposableStack();
  let service = services.use(await library.start(DEATHS[0]));
  await enroll(service, 'Ann');
  const file = await drawPhoto({ faces: ['Ann 2', 'Bea', 'Cleo'], objects: ['bus'] });
  const { source_image_id: id, faces } = ok(await service.client.detectAll({ body: { file } }));
  const [, bea] = faces;
  ok(
    await service.client.labelDetection({
      path: { id: bea!.detection_id },
      body: { label: 'Bea' },
    }),
  );
  for (const [turn, death] of DEATHS.entries()) {
    const old = await detectionsIn(library, id);
    const { client } = service;
    await library.events();
    await dieOver(service, () => client.reprocessImage({ path: { id }, query: { replace: true } }));
    service = services.use(await library.start(DEATHS[turn + 1]));
    const now = await detectionsIn(library, id);
    const events = await library.events();
    if (death.point === 'before-commit') {
      expect(now).toEqual(old);
      expect(events).toEqual([]);
    } else {
      expect(now).toHaveLength(old.length);
      expect(Math.min(...now)).toBeGreaterThan(Math.max(...old));
      const created = events.flatMap(({ event, data }) =>
        event === 'detection.created' ? [data.detection_id] : [],
      );
      expect(created.toSorted(byNumber)).toEqual(now);
      const deleted = events.flatMap(({ event, data }) =>
        event === 'detection.deleted' ? data.detection_ids : [],
      );
      expect(deleted.toSorted(byNumber)).toEqual(old);
    }
    expect({ death, found: await library.inconsistencies() }).toEqual({ death, found: [] });
  }
});

/** The ids of the image's detections, in ascending order. */
async function detectionsIn(library: DyingLibrary, sourceImageId: number): Promise<number[]> {
  const rows = await library.query<{ id: number }>(
    'SELECT id FROM detections WHERE source_image_id = $1 ORDER BY id',
    [sourceImageId],
  );
  return rows.map(({ id }) => id);
}

function byNumber(one: number, other: number): number {
  return one - other;
}
