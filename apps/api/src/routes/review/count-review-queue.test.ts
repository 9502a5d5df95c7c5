import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type ApiServer, startApi } from '../../testing/api-server.ts';
import { oneFace, photo } from '../../testing/people.ts';

let api: ApiServer;

beforeAll(async () => {
  api = await startApi(createMigratedDatabase);
});
beforeEach(async () => {
  await api.reset();
  api.analyzer.facesOf = oneFace;
});
afterAll(() => api[Symbol.asyncDispose]());

async function detect(text: string) {
  const { body } = await api.client.detectFaces({ body: { file: photo(text) } });
  return body!.faces[0]!.detection_id;
}

/** Counts the pending faces, and checks that every count agrees with the lists. */
async function pending() {
  const { client } = api;
  const { body: queue } = await client.listReviewQueue();
  const { body: count } = await client.countReviewQueue();
  expect(count).toEqual({ count: queue!.items.length });
  const { body: stats } = await client.getStats();
  expect(stats!.pending_review).toBe(queue!.items.length);

  const onlySuggested = { query: { has_suggestion: true } };
  const { body: suggested } = await client.listReviewQueue(onlySuggested);
  const ids = queue!.items.filter(({ suggested_matches: matches }) => matches.length > 0);
  expect(suggested!.items).toEqual(ids);
  expect((await client.countReviewQueue(onlySuggested)).body).toEqual({ count: ids.length });

  const { body: people } = await client.listIdentities({ query: { type: 'face' } });
  for (const { id } of people!.items) {
    const { body: details } = await client.getIdentity({ path: { id } });
    const { body: gallery } = await client.listGallery({ path: { id } });
    expect(details!.detection_count).toBe(gallery!.items.length);
    const own = queue!.items.filter((face) => face.current_identity?.identity_id === id);
    expect(details!.pending_review_count).toBe(own.length);
  }
  const { body: unknown } = await client.listUnknownFaces();
  const unassigned = queue!.items.filter((face) => face.current_identity === null);
  expect(unknown!.items.map(({ id }) => id)).toEqual(
    expect.arrayContaining(unassigned.map((face) => face.detection_id)),
  );
  return { all: queue!.items.length, suggested: ids.length, unknown: unknown!.items.length };
}

test('every count agrees with its list after each change', async () => {
  const { client } = api;
  expect(await pending()).toEqual({ all: 0, suggested: 0, unknown: 0 });
  const { body: anna } = await client.enrollFace({ body: { name: 'Anna', file: photo('0') } });
  expect(await pending()).toEqual({ all: 0, suggested: 0, unknown: 0 });
  const near = await detect('40');
  expect(await pending()).toEqual({ all: 1, suggested: 1, unknown: 0 });
  const far = await detect('70');
  expect(await pending()).toEqual({ all: 2, suggested: 2, unknown: 1 });
  const stranger = await detect('-140');
  expect(await pending()).toEqual({ all: 3, suggested: 2, unknown: 2 });
  await detect('1');
  expect(await pending()).toEqual({ all: 3, suggested: 2, unknown: 2 });

  await client.putSetting({ path: { key: 'face.match_threshold' }, body: { value: 0.65 } });
  expect(await pending()).toEqual({ all: 3, suggested: 1, unknown: 2 });
  await client.putSetting({ path: { key: 'face.match_threshold' }, body: { value: null } });

  await client.labelDetection({ path: { id: far }, body: { label: 'Bea' } });
  expect(await pending()).toEqual({ all: 2, suggested: 1, unknown: 1 });
  await client.deleteDetections({ body: { detection_ids: [stranger] } });
  expect(await pending()).toEqual({ all: 1, suggested: 1, unknown: 0 });
  await client.labelDetection({ path: { id: near }, body: { label: 'Bea' } });
  expect(await pending()).toEqual({ all: 0, suggested: 0, unknown: 0 });
  await detect('-40');
  expect(await pending()).toEqual({ all: 1, suggested: 1, unknown: 0 });
  await client.deleteIdentity({ path: { id: anna!.identity_id } });
  expect(await pending()).toEqual({ all: 0, suggested: 0, unknown: 0 });
});
