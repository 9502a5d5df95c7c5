import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Client } from '@sightline/contracts/client';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type TestConnection, withClient } from '@sightline/test/support/servers/test-server';
import { type ApiServer, startApi } from '../../testing/api-server.ts';
import { Curator, operationOf } from '../../testing/curator.ts';
import { decidedRows } from '@sightline/test/support/fixtures/decided-rows';
import { facesInRow, photo } from '../../testing/people.ts';
import { plantGroup } from '../../testing/plant-group.ts';

let api: ApiServer;
let curator: Curator;
let connection: TestConnection;

beforeAll(async () => {
  api = await startApi(async () => {
    const database = await createMigratedDatabase();
    ({ connection } = database);
    return database;
  });
  curator = new Curator(api);
});
afterAll(() => api[Symbol.asyncDispose]());

interface Library {
  readonly anna: number;
  readonly berta: number;
  /** A reference of Anna, and of Berta. */
  readonly ofAnna: number;
  readonly ofBerta: number;
  readonly strangers: readonly number[];
  readonly image: number;
  readonly reference: number;
  /** The id of a group of strangers. */
  readonly group: string;
}
let library: Library;

beforeEach(async () => {
  await api.reset();
  api.analyzer.facesOf = facesInRow;
  const { client } = api;
  const [anna, berta] = [await curator.enroll('Anna', '0'), await curator.enroll('Berta', '180')];
  const { body } = await client.detectAll({ body: { file: photo('90 91 92') } });
  const strangers = body!.faces.map(({ detection_id: id }) => id);
  await client.rejectFace({ path: { id: strangers[2]! } });
  library = {
    anna: anna.identity,
    berta: berta.identity,
    ofAnna: anna.face,
    ofBerta: berta.face,
    strangers,
    image: body!.source_image_id,
    reference: anna.reference,
    group: await plantGroup(api, await curator.detect('270 271 272')),
  };
});

async function rows() {
  const { id } = await api.stores.keys.environment(api.environment);
  return withClient(connection, (client) => decidedRows(client, id));
}

interface Sent {
  readonly headers: Headers;
  readonly status: number;
}

/** Sends a request, and returns the id of its operation. */
async function operate(send: (client: Client) => Promise<Sent>) {
  const sent = await send(api.client);
  expect(sent.status).toBeLessThan(300);
  return operationOf(sent);
}

/** The requests that can be taken back. */
const REQUESTS: Readonly<Record<string, (client: Client, library: Library) => Promise<Sent>>> = {
  review: (client, { strangers: [id], anna }) =>
    client.confirmFace({ path: { id: id! }, body: { identity_id: anna } }),
  bulk_review: (client, { strangers, anna }) =>
    client.reviewFaces({
      body: { detection_ids: [...strangers], action: 'confirm', identity_id: anna },
    }),
  'bulk_review by a filter': async (client, { anna }) => {
    const { as_of } = (await client.listSuggestionGroups()).body!;
    const where = { detected_since: '2020-01-01' };
    return client.reviewFaces({ body: { where, as_of, action: 'confirm', identity_id: anna } });
  },
  cluster_label: async (client, { group: cluster_id }) => {
    const { items } = (await client.getCluster({ path: { cluster_id } })).body!;
    const except = [items[1]!.detection_id];
    const body = { label: 'Carla', except, reject_except: true };
    return client.labelCluster({ path: { cluster_id }, body });
  },
  cluster_dismiss: (client, { group: cluster_id }) =>
    client.dismissCluster({ path: { cluster_id }, body: {} }),
  relabel: (client, { strangers }) =>
    client.labelDetections({
      body: { items: strangers.map((id) => ({ detection_id: id, label: 'Carla' })) },
    }),
  dismiss: (client, { strangers }) =>
    client.dismissDetections({ body: { detection_ids: [...strangers] } }),
  enroll: (client) => client.enrollFace({ body: { name: 'Dora', file: photo('45') } }),
  revoke: (client, { reference: id }) => client.deleteFaceEmbedding({ path: { id } }),
  cover: (client, { anna: id, ofAnna }) =>
    client.setIdentityCover({ path: { id }, body: { detection_id: ofAnna } }),
  rename: (client, { anna: id }) =>
    client.renameIdentity({ path: { id }, body: { label: 'Anne' } }),
  external_ref: (client, { anna: id }) =>
    client.setIdentityRef({ path: { id }, body: { external_ref: 'hr/1' } }),
  merge: (client, { anna: id, berta }) =>
    client.mergeIdentity({ path: { id }, body: { into: berta } }),
  delete_detections: (client, { strangers, ofAnna }) =>
    client.deleteDetections({ body: { detection_ids: [...strangers, ofAnna] } }),
  delete_identities: (client, { anna: id }) => client.deleteIdentity({ path: { id } }),
  delete_images: (client, { image: id }) => client.deleteImage({ path: { id } }),
};

describe.each(Object.entries(REQUESTS))('an operation of the kind %s', (kind, send) => {
  test('is listed, taken back, and carried out again', async () => {
    const before = await rows();
    const id = await operate((client) => send(client, library));
    const after = await rows();
    expect(after).not.toEqual(before);
    const { body } = await api.client.listOperations({});
    const [kindOf] = kind.split(' ');
    expect(body!.items[0]).toMatchObject({ id, kind: kindOf, undoable: true, undone_by: null });

    const undone = await curator.undo(id);
    expect(undone).toMatchObject({ status: 200, body: { skipped: [] } });
    expect(await rows()).toEqual(before);
    const { operation_id: redo } = undone.body!;
    expect(operationOf(undone)).toBe(redo);
    const nothing = await curator.undo(id);
    expect(nothing.body).toEqual({ operation_id: null, undone: 0, skipped: [] });

    expect(await curator.undo(redo!)).toMatchObject({ status: 200, body: { skipped: [] } });
    expect(await rows()).toEqual(after);
    expect(await curator.undo(id)).toMatchObject({ status: 200, body: { skipped: [] } });
    expect(await rows()).toEqual(before);
  });
});
