import { expect } from '@jest/globals';
import type { Client } from '@sightline/contracts/client';
import { ok } from '../../support/services/ok.ts';

interface ListPage<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
  readonly has_more: boolean;
}

interface PageQuery {
  readonly limit: number;
  readonly cursor?: string;
}

/** A small page size, so that lists of a few rows have several pages. */
const PAGE = 3;

/** Expects that every count of the environment agrees with the corresponding list. */
export async function expectCountsAgree(client: Client): Promise<void> {
  const [stats, identities, images] = await Promise.all([
    client.getStats().then(ok),
    allPages((query) => client.listIdentities({ query }).then(ok)),
    allPages((query) => client.listImages({ query: { ...query, sort: 'oldest' } }).then(ok)),
  ]);
  const typed = (type: 'face' | 'object') => identities.filter((one) => one.type === type).length;
  expect(stats).toMatchObject({
    identities: identities.length,
    face_identities: typed('face'),
    object_identities: typed('object'),
    source_images: images.length,
    detections: images.reduce((sum, { detection_count }) => sum + detection_count, 0),
  });
  await Promise.all([
    expectImagesAgree(client, images),
    expectReviewAgrees(client, stats.pending_review),
    expectSummariesAgree(client, identities),
  ]);
}

async function expectImagesAgree(
  client: Client,
  images: readonly { readonly id: number; readonly detection_count: number }[],
): Promise<void> {
  const ids = images.map(({ id }) => id);
  expect(ok(await client.countImages()).count).toBe(ids.length);
  expect(ok(await client.listImageIds({ query: { sort: 'oldest' } })).ids).toEqual(ids);
  const byCount = ok(await client.listImageIds({ query: { sort: 'most_detections' } })).ids;
  const counts = new Map(images.map(({ id, detection_count }) => [id, detection_count]));
  expect(byCount.map((id) => counts.get(id)!)).toEqual([...counts.values()].sort((a, b) => b - a));
  let faces = 0;
  const untagged: number[] = [];
  for (const id of ids) {
    const image = ok(await client.getImageFaces({ path: { id } }));
    faces += image.faces.length;
    if (image.faces.every(({ identity_id }) => identity_id === null)) untagged.push(id);
  }
  expect(ok(await client.getStats()).face_detections).toBe(faces);
  const query = { no_tagged_faces: true, sort: 'oldest' } as const;
  expect(ok(await client.listImageIds({ query })).ids).toEqual(untagged);
  expect(ok(await client.countImages({ query })).count).toBe(untagged.length);
}

async function expectReviewAgrees(client: Client, pending: number): Promise<void> {
  const queue = await allPages((query) => client.listReviewQueue({ query }).then(ok));
  expect(queue).toHaveLength(pending);
  expect(ok(await client.countReviewQueue()).count).toBe(pending);
  const suggested = queue.filter(({ suggested_matches }) => suggested_matches.length > 0);
  const query = { has_suggestion: true };
  expect(ok(await client.countReviewQueue({ query })).count).toBe(suggested.length);
  const listed = await allPages((page) =>
    client.listReviewQueue({ query: { ...page, ...query } }).then(ok),
  );
  expect(listed).toEqual(suggested);
  const unknown = await allPages((page) => client.listUnknownFaces({ query: page }).then(ok));
  expect(unknown.every(({ identity_id }) => identity_id === null)).toBe(true);
  const open = queue.filter(({ current_identity }) => current_identity === null);
  const unknownIds = unknown.map(({ detection_id }) => detection_id);
  expect(unknownIds).toEqual(expect.arrayContaining(open.map(({ detection_id }) => detection_id)));
}

async function expectSummariesAgree(
  client: Client,
  identities: readonly { readonly id: number }[],
): Promise<void> {
  const summaries = ok(await client.listIdentitySummaries());
  expect(summaries.total).toBe(identities.length);
  expect(summaries.items.map(({ id }) => id)).toEqual(identities.map(({ id }) => id));
  for (const summary of summaries.items) {
    const path = { id: summary.id };
    const { pending_review_count: pending, ...details } = ok(await client.getIdentity({ path }));
    expect(summary).toMatchObject(details);
    const newest = await allPages((query) => client.listGallery({ path, query }).then(ok));
    const oldest = await allPages((query) =>
      client.listGallery({ path, query: { ...query, sort: 'oldest' } }).then(ok),
    );
    expect(newest.map(({ detection_id }) => detection_id)).toEqual(
      oldest.map(({ detection_id }) => detection_id).reverse(),
    );
    expect(newest).toHaveLength(summary.detection_count);
    if (summary.type === 'object') continue;
    expect(newest.filter(({ review_status }) => review_status === 'pending')).toHaveLength(pending);
    const references = ok(await client.listFaceEmbeddings({ query: { identity_id: summary.id } }));
    expect(references.items).toHaveLength(summary.embedding_count);
  }
}

async function allPages<Item>(
  read: (query: PageQuery) => Promise<ListPage<Item>>,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await read({ limit: PAGE, ...(cursor !== undefined && { cursor }) });
    items.push(...page.items);
    expect(page.has_more).toBe(page.next_cursor !== null);
    cursor = page.next_cursor;
  }
  return items;
}
