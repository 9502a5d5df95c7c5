import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { drawPhoto } from '../support/fixtures/draw-photo.ts';
import { openWebhookSink, type WebhookSink } from '../support/servers/webhook-sink.ts';
import { describeInCompositions } from '../support/services/compositions.ts';
import { ok, okWith } from '../support/services/ok.ts';
import type { SharedService } from '../support/services/shared-service.ts';

interface Envelope {
  readonly event: string;
  readonly id: string;
  readonly data: Record<string, unknown>;
}

const PAUSE_MS = 20;

describeInCompositions('every use case', (takeEnvironment) => {
  let service: SharedService;
  let sink: WebhookSink;
  /** The ids of events that `told` has returned already. */
  const taken = new Set<string>();
  let cursor = 0;

  beforeAll(async () => {
    [service, sink] = [await takeEnvironment(), await openWebhookSink()];
    okWith(201, await service.client.registerWebhook({ body: { url: `${sink.url}/all` } }));
  });
  afterAll(async () => {
    await sink[Symbol.asyncDispose]();
  });

  /**
   * Returns the events since the last call: first the feed's, in the feed's order, then events that are not
   * in the feed. It creates an identity as a marker, and waits until the feed has it.
   */
  async function published(): Promise<readonly string[]> {
    const { client } = service;
    const marker = ok(
      await client.createIdentity({ body: { label: `Marker ${cursor}`, type: 'object' } }),
    );
    const order: string[] = [];
    for (let isThere = false; !isThere;) {
      const { changes, next_cursor } = ok(await client.listChanges({ query: { since: cursor } }));
      order.push(...changes.map(({ event_id }) => event_id));
      cursor = next_cursor;
      isThere = changes.some(
        ({ entity_type, entity_id }) => entity_type === 'identity' && entity_id === marker.id,
      );
      if (!isThere) await delay(PAUSE_MS);
    }
    const ids = new Set(order);
    let came = messages();
    while (came.filter(({ id }) => ids.has(id)).length < ids.size) {
      await delay(PAUSE_MS);
      came = messages();
    }
    // The webhook may have events that the feed did not have yet. The next call returns these.
    const inFeed = order.map((id) => came.find((message) => message.id === id)!);
    const others = came.filter(({ event }) => event === 'job.done');
    const now = [...new Set([...inFeed, ...others])];
    for (const { id } of now) taken.add(id);
    return now.filter(({ data }) => data.identity_id !== marker.id).map(textOf);
  }

  /** The messages since the last call, the first one of each event. */
  function messages(): readonly Envelope[] {
    const all = sink.received.map(({ body }) => JSON.parse(body.toString()) as Envelope);
    return [...new Map(all.toReversed().map((message) => [message.id, message])).values()]
      .toReversed()
      .filter(({ id }) => !taken.has(id));
  }

  const detect = async (...faces: string[]) => {
    const file = await drawPhoto({ faces });
    const { faces: found } = ok(await service.client.detectFaces({ body: { file } }));
    return found.map(({ detection_id }) => detection_id);
  };

  async function publishedBy(work: () => Promise<unknown>): Promise<readonly string[]> {
    await work();
    return published();
  }

  const create = async (label: string) =>
    ok(await service.client.createIdentity({ body: { label, type: 'face' } })).id;

  test('of a face publishes its events in order', async () => {
    const { client } = service;
    const [first = 0, second = 0] = await detect('red', 'blue');
    expect(await published()).toEqual([
      `detection.created ${first}`,
      `detection.created ${second}`,
    ]);
    const path = { id: first };
    const [to, added, removed] = ['detection.labeled', 'embedding_added', 'embedding_removed'];

    const { identity_id } = ok(await client.labelDetection({ path, body: { label: 'Ada' } }));
    const ada = identity_id;
    expect(await published()).toEqual([
      `identity.created of ${ada}`,
      `${to} ${first} of ${ada}`,
      `${added} ${first} of ${ada}`,
    ]);
    const bea = await create('Bea');
    expect(await published()).toEqual([`identity.created of ${bea}`]);
    expect(
      await publishedBy(() => client.reassignFace({ path, body: { identity_id: bea } })),
    ).toEqual([
      `${to} ${first} of ${bea}`,
      `${removed} ${first} of ${ada}`,
      `${added} ${first} of ${bea}`,
    ]);
    // The face is already confirmed, so confirming it again emits no event.
    const confirmed = () => client.confirmFace({ path, body: { identity_id: bea } });
    expect(await publishedBy(confirmed)).toEqual([]);
    expect(await publishedBy(() => client.rejectFace({ path }))).toEqual([
      `${to} ${first}`,
      `${removed} ${first} of ${bea}`,
    ]);
    expect(await publishedBy(() => client.restoreFace({ path }))).toEqual([
      `${to} ${first} of ${bea}`,
    ]);
    expect(await publishedBy(confirmed)).toEqual([`${added} ${first} of ${bea}`]);
    expect(await publishedBy(() => client.revokeDetection({ path }))).toEqual([
      `${removed} ${first} of ${bea}`,
    ]);
    expect(await publishedBy(() => client.enrollDetection({ path }))).toEqual([
      `${added} ${first} of ${bea}`,
    ]);
    expect(await publishedBy(() => client.unassignFace({ path }))).toEqual([
      `${to} ${first}`,
      `${removed} ${first} of ${bea}`,
    ]);
    const dismissed = { detection_ids: [second] };
    expect(await publishedBy(() => client.dismissDetections({ body: dismissed }))).toEqual([]);
    const items = [first, second, 999_999].map((detection_id) => ({ detection_id, label: 'Cid' }));
    ok(await client.labelDetections({ body: { items } }));
    const labeled = await published();
    const cid = Number(/\d+$/.exec(labeled[0]!)![0]);
    expect(labeled).toEqual([
      `identity.created of ${cid}`,
      ...[first, second].flatMap((id) => [`${to} ${id} of ${cid}`, `${added} ${id} of ${cid}`]),
    ]);
    const body = { detection_ids: [first, second] };
    expect(await publishedBy(() => client.deleteDetections({ body }))).toEqual([
      `detection.deleted ${first},${second}`,
      `${removed} ${first} of ${cid}`,
      `${removed} ${second} of ${cid}`,
    ]);
  });

  test('of an identity publishes its events in order', async () => {
    const { client } = service;
    const file = await drawPhoto({ faces: ['green'] });
    const enrolled = ok(await client.enrollFace({ body: { name: 'Dan', file } }));
    const { identity_id: dan, embedding_id } = enrolled;
    const { detection_id: face } = ok(
      await client.getFaceEmbedding({ path: { id: embedding_id } }),
    );
    expect(await published()).toEqual([
      `identity.created of ${dan}`,
      `detection.created ${face} of ${dan}`,
      `detection_added ${face} of ${dan}`,
      `embedding_added ${face} of ${dan}`,
    ]);
    const path = { id: dan };
    const rename = () => client.renameIdentity({ path, body: { label: 'Daniel' } });
    expect(await publishedBy(rename)).toEqual([`renamed of ${dan}`]);
    expect(await publishedBy(rename)).toEqual([]);
    expect(
      await publishedBy(() => client.setIdentityCover({ path, body: { detection_id: face } })),
    ).toEqual([`thumbnail_updated of ${dan}`]);
    expect(
      await publishedBy(() => client.setIdentityRef({ path, body: { external_ref: 'crm/4' } })),
    ).toEqual([]);
    expect(
      await publishedBy(() => client.deleteFaceEmbedding({ path: { id: embedding_id } })),
    ).toEqual([`embedding_removed ${face} of ${dan}`]);
    const eve = await create('Eve');
    expect(await published()).toEqual([`identity.created of ${eve}`]);
    expect(await publishedBy(() => client.mergeIdentity({ path, body: { into: eve } }))).toEqual([
      `identity.merged of ${dan}`,
    ]);
    const fay = await create('Fay');
    expect(await published()).toEqual([`identity.created of ${fay}`]);
    const body = { identity_ids: [eve, fay] };
    expect(await publishedBy(() => client.deleteIdentities({ body }))).toEqual([
      `detection.deleted ${face}`,
      `identity.deleted of ${eve}`,
      `identity.deleted of ${fay}`,
    ]);
  });

  test('of a job publishes its events, and the end once', async () => {
    const { client } = service;
    const files = [await drawPhoto({ faces: ['teal'] }), await drawPhoto({ faces: [] })];
    const body = { file: files };
    const { job_id } = okWith(202, await client.detectBulk({ query: { async: true }, body }));
    const all: string[] = [];
    while (!all.some((line) => line.startsWith('job.done'))) all.push(...(await published()));
    // `told` returns `job.done` as soon as the webhook has it. The feed may have the created detection only later, so
    // this call waits for the feed.
    all.push(...(await published()));
    expect(all.toSorted()).toEqual([
      expect.stringMatching(/^detection\.created \d+$/),
      `job.done ${job_id}`,
    ]);
    expect(await published()).toEqual([]);
  });

  test('that is refused publishes no event', async () => {
    const { client } = service;
    const [face = 0] = await detect('red');
    const gus = await create('Gus');
    await create('Hal');
    await published();
    const path = { id: face };
    const unknown = { id: 999_999 };
    const refused = [
      () => client.renameIdentity({ path: { id: gus }, body: { label: 'Hal' } }),
      () => client.renameIdentity({ path: unknown, body: { label: 'Ida' } }),
      () => client.mergeIdentity({ path: { id: gus }, body: { into: gus } }),
      () => client.setIdentityCover({ path: { id: gus }, body: { detection_id: face } }),
      () => client.createIdentity({ body: { label: 'Gus', type: 'face' } }),
      () => client.confirmFace({ path, body: { identity_id: 999_999 } }),
      () => client.labelDetection({ path: unknown, body: { label: 'Ida' } }),
      () => client.enrollDetection({ path }),
      () => client.deleteDetection({ path: unknown }),
      () => client.deleteIdentity({ path: unknown }),
      () => client.deleteFaceEmbedding({ path: unknown }),
      () => client.detectFaces({ body: { file: new File(['no image'], 'photo') } }),
      () => client.detectBulk({ query: { async: true }, body: { file: [] } }),
    ];
    const statuses = [];
    for (const request of refused) statuses.push((await request()).status);
    expect(statuses.filter((status) => status < 400)).toEqual([]);
    expect(await published()).toEqual([]);
  });
});

/** Describes an event in one line: its action, the detection or job, and the identity. */
function textOf({ event, data }: Envelope): string {
  const { detection_id, detection_ids, job_id, identity_id, action } = data;
  const about = detection_id ?? detection_ids ?? job_id;
  const words = [action ?? event, about, typeof identity_id === 'number' && `of ${identity_id}`];
  return words.filter((word) => word !== undefined && word !== false).join(' ');
}
