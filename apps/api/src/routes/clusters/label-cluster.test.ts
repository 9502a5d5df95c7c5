import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type FollowedStore, followStore } from '@sightline/test/support/fixtures/followed-store';
import type { DismissedCluster } from '@sightline/contracts/clusters/dismiss-cluster-contract';
import type { LabeledCluster } from '@sightline/contracts/clusters/label-cluster-contract';
import type { z } from 'zod';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type ApiServer, startApi } from '../../testing/api-server.ts';
import { Curator, operationOf } from '../../testing/curator.ts';
import { facesInRow } from '../../testing/people.ts';

let api: ApiServer;
let curator: Curator;
let followed: FollowedStore;

beforeAll(async () => {
  api = await startApi(createMigratedDatabase);
  curator = new Curator(api);
  followed = await followStore(api.stores);
});
beforeEach(async () => {
  await api.reset();
  api.analyzer.facesOf = facesInRow;
});
afterAll(async () => {
  await followed[Symbol.asyncDispose]();
  await api[Symbol.asyncDispose]();
});

/** Detects strangers who are alike, and returns their ids and that of their group. */
async function group(angles = '100 101 102 103') {
  const ids = await curator.detect(angles);
  await followed.settle();
  return { ids, cluster_id: await newestGroup() };
}

async function newestGroup(): Promise<string> {
  return (await api.client.listClusters()).body!.clusters[0]!.cluster_id;
}

type Body = Parameters<typeof api.client.labelCluster>[0]['body'];

/** Labels the faces within the request. */
async function label(cluster_id: string, body: Body) {
  const answer = await api.client.labelCluster({ path: { cluster_id }, body });
  return { ...answer, body: answer.body as z.output<typeof LabeledCluster> | null };
}

async function dismiss(cluster_id: string, except: number[] = []) {
  const answer = await api.client.dismissCluster({ path: { cluster_id }, body: { except } });
  return { ...answer, body: answer.body as z.output<typeof DismissedCluster> | null };
}

async function shown(id: number) {
  return (await api.client.getDetection({ path: { id } })).body!;
}

describe('POST /api/clusters/{cluster_id}/label', () => {
  test('names all faces of a group, and creates the person', async () => {
    const { ids, cluster_id } = await group();
    const answer = await label(cluster_id, { label: ' Anna ', except: [ids[1]!, 999_999_999] });
    const { body } = answer;
    expect(body).toEqual({
      identity_id: expect.any(Number),
      label: 'Anna',
      created: true,
      processed: 3,
      failed: 0,
      errors: [],
    });
    const { identity_id } = body!;
    for (const id of [ids[0], ids[2]!, ids[3]!]) {
      expect(await shown(id)).toMatchObject({ identity_id, review_status: 'confirmed' });
    }
    expect(await shown(ids[1]!)).toMatchObject({ identity_id: null, review_status: 'pending' });
    const { body: anna } = await api.client.getIdentity({ path: { id: identity_id } });
    expect(anna).toMatchObject({ detection_count: 3, embedding_count: 3 });
    const { body: undone } = await curator.undo(operationOf(answer));
    expect(undone).toMatchObject({ undone: 4, skipped: [] });
    expect((await label(cluster_id, { label: 'Anna' })).body).toMatchObject({ processed: 4 });
  });

  test('takes a person who exists, by label or id', async () => {
    const { identity: anna } = await curator.enroll('Anna', '0');
    const first = await group('100 101');
    const known = { identity_id: anna, label: 'Anna', created: false, processed: 2 };
    expect((await label(first.cluster_id, { label: 'Anna' })).body).toMatchObject(known);
    const second = await group('200 201');
    expect((await label(second.cluster_id, { identity_id: anna })).body).toMatchObject(known);
  });

  test('rejects the excepted faces from the person, so that they are not suggested again', async () => {
    const { ids, cluster_id } = await group();
    const [, second] = ids;
    const { body } = await label(cluster_id, {
      label: 'Anna',
      except: [second!],
      reject_except: true,
    });
    expect(body).toMatchObject({ processed: 3, failed: 0 });
    expect(await shown(second!)).toMatchObject({ identity_id: null, review_status: 'rejected' });
    const path = { id: body!.identity_id };
    const { body: rejected } = await api.client.listRejectedFaces({ path });
    expect(rejected!.items.map(({ detection_id: id }) => id)).toEqual([second]);
    const { body: again } = await api.client.detectFaces({
      body: { file: new File(['100 101 102 103'], 'again.jpg') },
    });
    expect(again!.faces.map(({ identity_id: id }) => id)).toEqual([
      path.id,
      null,
      path.id,
      path.id,
    ]);
  });

  test('changes nothing if the group has changed, and tells how', async () => {
    const { ids, cluster_id } = await group();
    await api.client.dismissDetections({ body: { detection_ids: [ids[2]!] } });
    const refused = await label(cluster_id, { label: 'Anna' });
    const { body: now } = await api.client.getCluster({ path: { cluster_id } });
    expect(refused.problem).toMatchObject({
      status: 409,
      code: 'cluster_changed',
      cluster: now,
      added: [],
      removed: [ids[2]],
    });
    const [newcomer] = await curator.detect('104');
    await followed.settle();
    expect((await dismiss(cluster_id)).problem).toMatchObject({
      status: 409,
      added: [newcomer],
      removed: [ids[2]],
    });
    expect((await api.client.listIdentities()).body!.items).toEqual([]);
    const retry = (refused.problem as unknown as { cluster: { cluster_id: string } }).cluster;
    expect((await dismiss(retry.cluster_id)).problem).toMatchObject({
      added: [newcomer],
      removed: [],
    });
    expect((await dismiss(await newestGroup())).body).toEqual({ dismissed: 4 });
  });

  test('does not tell how the group has changed if its state is not stored any more', async () => {
    const { ids, cluster_id } = await group();
    const [first] = ids;
    const forged = Buffer.from(JSON.stringify([first, cosineOf(cluster_id), 3, 'x'.repeat(16)]));
    const { problem } = await dismiss(forged.toString('base64url'));
    expect(problem).toMatchObject({ status: 409, added: null, removed: null });
  });

  test('does not find a group whose first face has left, or that never was', async () => {
    const { ids, cluster_id } = await group();
    await api.client.deleteDetection({ path: { id: ids[0] } });
    for (const id of [cluster_id, 'nonsense']) {
      expect((await label(id, { label: 'Anna' })).problem).toMatchObject({ status: 404 });
      expect((await dismiss(id)).problem).toMatchObject({ status: 404 });
    }
    const { cluster_id: other } = await group('200 201');
    const stranger = await api.clientOf({ environment: 'elsewhere' });
    const path = { cluster_id: other };
    const answers = [
      await stranger.labelCluster({ path, body: { label: 'Anna' } }),
      await stranger.dismissCluster({ path, body: {} }),
    ];
    for (const { problem } of answers) expect(problem).toMatchObject({ status: 404 });
  });

  test('refuses what is unclear, and groups that a client cannot wait for', async () => {
    const { ids, cluster_id } = await group();
    const bodies: readonly Body[] = [
      {},
      { label: 'Anna', identity_id: 1 },
      { label: '' },
      { label: 'Anna', except: [...ids] },
    ];
    for (const body of bodies) {
      expect((await label(cluster_id, body)).problem).toMatchObject({ status: 400 });
    }
    const unknown = await label(cluster_id, { identity_id: 999_999_999 });
    expect(unknown.problem).toMatchObject({ status: 404 });
    expect((await dismiss(cluster_id, [...ids])).body).toEqual({ dismissed: 0 });
  });
});

test('POST /api/clusters/{cluster_id}/dismiss dismisses all faces but the excepted', async () => {
  const { ids, cluster_id } = await group();
  const answer = await dismiss(cluster_id, [ids[3]!]);
  expect(answer.body).toEqual({ dismissed: 3 });
  expect((await api.client.listClusters()).body!.clusters).toEqual([]);
  expect((await api.client.countReviewQueue()).body).toEqual({ count: 1 });
  await curator.undo(operationOf(answer));
  expect(await newestGroup()).toBe(cluster_id);
});

test('of two people who decide about one group at once, each face is decided about once', async () => {
  const angles = Array.from({ length: 60 }, (_, i) => String(100 + i / 10));
  const { ids, cluster_id } = await group(angles.join(' '));
  const [anna, berta, gone] = await Promise.all([
    label(cluster_id, { label: 'Anna' }),
    label(cluster_id, { label: 'Berta' }),
    dismiss(cluster_id),
  ]);
  const decided = [anna, berta].map(({ body }) => body?.processed ?? 0);
  expect(decided[0]! + decided[1]! + (gone.body?.dismissed ?? 0)).toBe(ids.length);
  for (const { body } of [anna, berta]) {
    for (const { error } of body?.errors ?? []) expect(error.code).toBe('changed_since');
    if (body !== null) expect(body.processed + body.failed).toBe(ids.length);
  }
  expect(await api.stores.maintenance.contradictions()).toEqual([]);
});

function cosineOf(clusterId: string): unknown {
  return (JSON.parse(Buffer.from(clusterId, 'base64url').toString()) as unknown[])[1];
}

test('a job may decide about a group of any size', async () => {
  const { ids, cluster_id } = await group();
  const path = { cluster_id };
  const query = { async: true } as const;
  const label = await api.client.labelCluster({ path, query, body: { label: 'Anna' } });
  expect(label).toMatchObject({ status: 202, body: { total: ids.length } });
  const gone = await api.client.dismissCluster({ path, query, body: { except: [ids[0]] } });
  expect(gone).toMatchObject({ status: 202, body: { total: ids.length - 1 } });
  const { body } = await api.client.listJobs({});
  expect(body!.items.map(({ type }) => type)).toEqual(['bulk_review', 'bulk_review']);
  const unknown = { label: undefined, identity_id: 999_999 };
  const { problem } = await api.client.labelCluster({ path, query, body: unknown });
  expect(problem).toMatchObject({ status: 404, code: 'not_found' });
});
