import { randomUUID } from 'node:crypto';
import { sampleFiles, zipOf } from '@sightline/archive-zip/testing/sample-archive';
import type { ApiServer } from './api-server.ts';
import { oneFace, photo } from './people.ts';
import { plantGroup } from './plant-group.ts';
import type { Samples } from './sample-request.ts';

export interface SampleLibrary {
  /** The id of Anna, who has a face with a reference. */
  readonly identity: number;
  /** The id of another person, who has no faces. */
  readonly other: number;
  readonly detection: number;
  /** The id of the detection's image, which also shows the object. */
  readonly source: number;
  readonly object: number;
  readonly samples: Samples;
}

/** Stores records in the test's environment, so that each endpoint can be called with a valid request. */
export async function sampleLibrary(api: ApiServer): Promise<SampleLibrary> {
  api.analyzer.facesOf = oneFace;
  const { client } = api;
  const { body: enrolled } = await client.enrollFace({
    body: { name: 'Anna', file: photo('0'), external_ref: 'ours' },
  });
  const { body: run } = await client.detectAll({
    body: { file: photo('0'), external_ref: 'ours' },
  });
  const { body: other } = await client.createIdentity({
    body: { label: 'Anna too', type: 'face' },
  });
  const source = run!.source_image_id;
  const { id: environmentId } = await api.stores.keys.environment(api.environment);
  // The job ends at once, because it has no items.
  const job = await api.stores.database.withEntities({ environmentId, locks: [] }, ({ jobs }) =>
    jobs.create({ type: 'reprocess', params: { types: 'all', replace: false }, items: [] }),
  );
  const named = await client.setIdentityRef({
    path: { id: other!.id },
    body: { external_ref: 'theirs' },
  });
  const operation = Number(named.headers.get('x-operation-id'));
  const cluster = await sampleCluster(api);
  const { body: webhook } = await client.registerWebhook({
    body: { url: 'https://hooks.example/ours' },
  });
  const delivery = await sampleDelivery(api, { environmentId, webhook: webhook!.id });
  const [model] = await api.stores.models.active();
  const [face] = run!.faces;
  const [identity, detection] = [enrolled!.identity_id, face!.detection_id];
  const hashOf = (url: string) => /[0-9a-f]{64}/.exec(url)![0];
  const samples = {
    records: {
      identities: { id: identity },
      detections: { id: detection },
      review: { id: detection },
      mismatches: { id: detection },
      images: { id: source },
      'face-embeddings': { id: enrolled!.embedding_id },
      settings: { key: 'face.match_threshold' },
      sources: { id: source, hash: hashOf(run!.source_image_url) },
      jobs: { id: job.id },
      clusters: { cluster_id: cluster },
      webhooks: { id: webhook!.id, delivery_id: delivery },
      operations: { id: operation },
      models: { id: model!.id },
      crops: { id: detection, hash: hashOf(face!.crop_url) },
    },
    members: {
      identity_ids: [identity],
      identity_id: identity,
      detection_id: detection,
      detection_ids: [detection],
      into: other!.id,
      items: [{ detection_id: detection, identity_id: identity }],
      source_image_ids: [source],
      url: 'https://hooks.example/',
      as_of: '2026-11-20T10:00:00.000Z',
      except: [],
      dry_run: false,
      bbox: { x: 1, y: 1, w: 20, h: 20 },
    },
    file: photo('0'),
    files: { importArchive: await emptyArchive() },
  };
  const object = run!.objects[0]!.detection_id;
  return { identity, other: other!.id, detection, source, object, samples };
}

/** Records a test message to a webhook. Returns the id of the attempt. */
export async function sampleDelivery(
  { stores, client }: Pick<ApiServer, 'stores' | 'client'>,
  { environmentId, webhook: id }: { readonly environmentId: number; readonly webhook: number },
  event = 'ping',
): Promise<number> {
  const made = { eventId: randomUUID(), event, attempt: 1, createdAt: new Date() };
  const answer = { nextAttemptAt: null, statusCode: 204, ok: true, durationMs: 7, error: null };
  await stores.database.withEntities({ environmentId, locks: [] }, ({ webhooks }) =>
    webhooks.noteDelivery(id, { ...made, ...answer }),
  );
  const { body } = await client.listDeliveries({ path: { id } });
  return body!.items[0]!.id;
}

/** Stores two strangers who are a group. Returns the id of their group. */
export async function sampleCluster(api: ApiServer): Promise<string> {
  const ids: number[] = [];
  for (const angle of ['90', '91']) {
    const { body: run } = await api.client.detectFaces({ body: { file: photo(angle) } });
    ids.push(run!.faces[0]!.detection_id);
  }
  return plantGroup(api, ids);
}

async function emptyArchive(): Promise<File> {
  return new File([new Uint8Array(await zipOf(sampleFiles({})))], 'library.zip');
}
