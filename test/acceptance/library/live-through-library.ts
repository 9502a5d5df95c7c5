import { setTimeout as delay } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { ok, okWith } from '../../support/services/ok.ts';
import type { RunningService } from '../../support/services/running-service.ts';
import { expectCountsAgree } from './expect-counts-agree.ts';

/** Photos of an album: two of Berta, one of Clara, and one of at least four strangers. */
export interface Album {
  readonly berta: readonly [File, File];
  readonly clara: File;
  readonly group: File;
}

/**
 * Works through a photo library as people do: detect, review, name, correct, merge, draw, reprocess, find,
 * delete. After each step all counts have to agree.
 */
export async function liveThroughLibrary(
  service: Pick<RunningService, 'client'>,
  album: Album,
): Promise<void> {
  const { client } = service;
  const agree = (): Promise<void> => expectCountsAgree(client);
  const face = async (id: number) => ok(await client.getDetection({ path: { id } }));
  const detect = async (file: File) => ok(await client.detectAll({ body: { file } }));
  await agree();

  // Detect: the gallery has no identity yet.
  const first = await detect(album.berta[0]);
  const stranger = await detect(album.clara);
  const group = await detect(album.group);
  const crowd = group.faces.map(({ detection_id }) => detection_id);
  expect(crowd.length).toBeGreaterThanOrEqual(4);
  expect([...first.faces, ...stranger.faces, ...group.faces]).toHaveLength(crowd.length + 2);
  await agree();

  // Name: the faces leave the queue, and the next photo of a named person is recognized.
  const bertaFace = first.faces[0]!.detection_id;
  const berta = ok(
    await client.reassignFace({ path: { id: bertaFace }, body: { name: 'Berta' } }),
  ).identity_id;
  const claraFace = stranger.faces[0]!.detection_id;
  const clara = ok(
    await client.labelDetection({ path: { id: claraFace }, body: { label: 'Clara' } }),
  ).identity_id;
  await agree();
  const second = await detect(album.berta[1]);
  expect(second.faces[0]).toMatchObject({ identity_id: berta, label: 'Berta' });
  await agree();
  const seen = { id: second.faces[0]!.detection_id };
  const confirmed = ok(await client.confirmFace({ path: seen, body: { identity_id: berta } }));
  expect(confirmed).toEqual({
    detection_id: seen.id,
    review_status: 'confirmed',
    identity_id: berta,
    enrolled: true,
  });
  await agree();

  // Correct: a wrong name is rejected, restored and removed.
  const wrong = { id: crowd[0]! };
  ok(await client.confirmFace({ path: wrong, body: { identity_id: clara } }));
  await agree();
  ok(await client.rejectFace({ path: wrong }));
  const rejected = ok(await client.listRejectedFaces({ path: { id: clara } }));
  expect(rejected.items).toMatchObject([{ detection_id: wrong.id }]);
  await agree();
  ok(await client.restoreFace({ path: wrong }));
  expect(await face(wrong.id)).toMatchObject({ identity_id: clara, review_status: 'pending' });
  await agree();
  ok(await client.unassignFace({ path: wrong }));
  expect(await face(wrong.id)).toMatchObject({ identity_id: null, review_status: 'pending' });
  await agree();

  // Review in bulk, with one face that does not exist.
  const [, two, three, four] = crowd;
  const dora = ok(await client.createIdentity({ body: { label: 'Dora', type: 'face' } })).id;
  const bulk = ok<unknown>(
    await client.reviewFaces({
      body: {
        detection_ids: [two!, 999_999_999, three!],
        action: 'reassign',
        identity_id: dora,
      },
    }),
  );
  expect(bulk).toMatchObject({
    processed: 2,
    failed: 1,
    errors: [{ detection_id: 999_999_999, error: { code: 'not_found' } }],
  });
  expect(ok(await client.dismissDetections({ body: { detection_ids: [four!] } }))).toEqual({
    dismissed: 1,
  });
  await agree();

  // Change the label and the cover of an identity.
  const named = { id: dora };
  ok(await client.renameIdentity({ path: named, body: { label: 'Dóra' } }));
  ok(await client.setIdentityRef({ path: named, body: { external_ref: 'crm/7' } }));
  ok(await client.setIdentityCover({ path: named, body: { detection_id: three! } }));
  expect(ok(await client.getIdentity({ path: named }))).toMatchObject({
    label: 'Dóra',
    external_ref: 'crm/7',
    cover_detection_id: three,
    thumbnail_url: (await face(three!)).crop_url,
  });
  const found = ok(await client.searchIdentities({ query: { q: 'dora' } }));
  expect(found.items[0]).toMatchObject({ identity_id: dora, label: 'Dóra' });
  await agree();

  // Merge: all faces become Clara's.
  const into = { id: clara };
  expect(ok(await client.mergeIdentity({ path: named, body: { into: clara } }))).toEqual({
    merged_into: clara,
    deleted: dora,
  });
  expect((await client.getIdentity({ path: named })).status).toBe(404);
  expect(ok(await client.getIdentity({ path: into }))).toMatchObject({
    label: 'Clara',
    external_ref: 'crm/7',
    cover_detection_id: three,
    detection_count: 3,
    embedding_count: 3,
  });
  expect(await face(two!)).toMatchObject({ identity_id: clara, label: 'Clara' });
  await agree();

  // Draw a box, and run the models again, first in addition to the existing detections and then in their place.
  const image = { id: group.source_image_id };
  const drawn = ok(
    await client.createDetection({
      path: image,
      body: { type: 'object', bbox: { x: 1, y: 1, w: 20, h: 20 }, label: 'lamp' },
    }),
  );
  expect(drawn).toMatchObject({ label: 'lamp', is_manual: true });
  const manual = { has_manual_detections: true };
  expect(ok(await client.listImageIds({ query: manual })).ids).toEqual([image.id]);
  await agree();
  const again = okWith(200, await client.reprocessImage({ path: image, query: { type: 'all' } }));
  expect(again.faces.map(({ detection_id }) => detection_id)).toEqual(crowd);
  await agree();
  const replaced = okWith(
    200,
    await client.reprocessImages({
      body: { source_image_ids: [image.id], type: 'all', replace: true },
    }),
  );
  expect(replaced).toMatchObject({ total: 1, results: [{ source_image_id: image.id }] });
  expect(ok(await client.listImageIds({ query: manual })).ids).toEqual([]);
  expect((await client.getDetection({ path: { id: drawn.detection_id } })).status).toBe(404);
  await agree();

  // Find images by the people in them.
  const both = await client.listImages({ query: { identity_id: [berta] } });
  expect(
    ok(both)
      .items.map(({ id }) => id)
      .sort(),
  ).toEqual([first.source_image_id, second.source_image_id].sort());
  const asked = ok(
    await client.queryDetections({ body: { detection_ids: [claraFace, 999_999_999, bertaFace] } }),
  );
  expect(asked.items.map(({ detection_id }) => detection_id)).toEqual([claraFace, bertaFace]);
  const mismatches = async () => {
    const { items } = ok(await client.listMismatches({ query: { threshold: 1 } }));
    return items.map(({ detection_id }) => detection_id);
  };
  // Confirmed faces are scored soon after, by a follower of the changes.
  while (!(await mismatches()).includes(bertaFace)) await delay(200);
  ok(await client.dismissMismatches({ body: { detection_ids: [bertaFace] } }));
  expect(await mismatches()).not.toContain(bertaFace);
  await agree();

  // Revoke enrollments, and delete until nothing is left.
  expect(ok(await client.revokeDetection({ path: { id: bertaFace } }))).toEqual({
    detection_id: bertaFace,
    removed: 1,
  });
  await agree();
  ok(await client.enrollDetection({ path: { id: bertaFace } }));
  await agree();
  const gone = ok(await client.deleteDetections({ body: { detection_ids: [claraFace] } }));
  expect(gone.deleted).toBe(1);
  await agree();
  ok(await client.deleteImage({ path: image }));
  await agree();
  for (const { id } of ok(await client.listIdentities()).items) {
    expect((await client.deleteIdentity({ path: { id } })).status).toBe(204);
    await agree();
  }
  const { ids } = ok(await client.listImageIds());
  for (const id of ids) ok(await client.deleteImage({ path: { id } }));
  await agree();
  const stats = ok(await client.getStats());
  // The files of what was deleted stay for an undo.
  expect(stats.storage_bytes).toBe(stats.set_aside_bytes);
  expect(stats).toMatchObject({
    identities: 0,
    detections: 0,
    source_images: 0,
    pending_review: 0,
  });
}
