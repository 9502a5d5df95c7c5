import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeOnNode } from '../support/cluster/describe-on-node.ts';
import type { NodeNamespace } from '../support/cluster/node.ts';
import { NETWORK_OF_NODE, Quickstart, STORES } from '../support/cluster/quickstart.ts';
import { startScriptPod } from '../support/cluster/script-pod.ts';
import { ok } from '../support/services/ok.ts';

const LONG_MS = 600_000;
const PORT = 8080;

describeOnNode('events over Kafka, each process in pods of its own', () => {
  let quickstart: Quickstart;
  let namespace: NodeNamespace;
  let sink: string;

  beforeAll(async () => {
    quickstart = await Quickstart.prepare('events', { volumes: 3 });
    ({ namespace } = quickstart);
    await quickstart.release('install', {
      vectors: { kind: 'qdrant' },
      // No server has this address. These tests need none, because they search for no faces.
      qdrant: { url: 'http://no-qdrant:6333' },
      quickstart: STORES,
      networkPolicy: {
        ...NETWORK_OF_NODE,
        world: { ports: [PORT], to: [{ podSelector: { matchLabels: { app: 'sink' } } }] },
      },
      api: { replicas: 1 },
      models: { 'starter-faces': null, 'starter-objects': null },
      routes: { face: null, object: null },
    });
    for (const process of ['api', 'worker', 'relay', 'projector', 'dispatcher']) {
      const deployment = `deployment/${quickstart.name}-${process}`;
      await namespace.kubectl('rollout', 'status', deployment, '--timeout=180s');
    }
    await quickstart.connect();
    sink = await startScriptPod(namespace, { name: 'sink', script: SINK, port: PORT });
    ok(
      await quickstart.client.registerWebhook({
        body: { url: `http://${sink}:${PORT}/`, events: ['identity.created'] },
      }),
    );
  }, LONG_MS);
  afterAll(() => quickstart[Symbol.asyncDispose](), LONG_MS);

  /** Creates an identity. @returns its id */
  async function enroll(label: string): Promise<number> {
    const { client } = quickstart;
    return ok(await client.createIdentity({ body: { label, type: 'face' } })).id;
  }

  /** Waits until the feed and the webhook have reported these identities. */
  async function waitForEvents(ids: readonly number[]): Promise<void> {
    for (const readIds of [idsOfFeed, idsOfWebhook]) {
      const giveUpAt = performance.now() + 120_000;
      for (;;) {
        const found = await readIds();
        if (ids.every((id) => found.includes(id))) break;
        if (performance.now() > giveUpAt) expect(found).toEqual(expect.arrayContaining([...ids]));
        await sleep(300);
      }
    }
  }

  async function idsOfFeed(): Promise<readonly number[]> {
    const { changes } = ok(await quickstart.client.listChanges({ query: {} }));
    return changes.map(({ entity_id }) => entity_id);
  }

  async function idsOfWebhook(): Promise<readonly number[]> {
    const response = await fetch(`http://${sink}:${PORT}/`);
    const messages = (await response.json()) as {
      readonly data: { readonly identity_id: number };
    }[];
    return messages.map(({ data }) => data.identity_id);
  }

  test(
    'the feed and the webhook report an event, and the health reports an unavailable store',
    async () => {
      await waitForEvents([await enroll('Ada')]);
      const { checks, events } = ok(await quickstart.client.getHealth());
      expect(checks).toMatchObject({ database: 'ok', events: 'ok', vectors: 'failed' });
      expect(events).toMatchObject({ transport: 'kafka' });
    },
    LONG_MS,
  );

  test.each(['relay', 'projector', 'dispatcher', 'kafka'])(
    'a killed pod of %s loses no event',
    async (process) => {
      const selector = `app.kubernetes.io/component=${process}`;
      expect(await namespace.podsOf(selector)).toHaveLength(1);
      const ids = [await enroll(`before ${process}`)];
      await namespace.kubectl(
        'delete',
        'pod',
        `--selector=${selector}`,
        '--force',
        '--grace-period=0',
      );
      ids.push(await enroll(`after ${process}`));
      await waitForEvents(ids);
    },
    LONG_MS,
  );
});

/** A server that stores the messages of POST requests and returns them to GET requests. */
const SINK = `import('node:http').then(({ createServer }) => {
  const messages = [];
  createServer((request, response) => {
    if (request.method === 'GET') return response.end(JSON.stringify(messages));
    let text = '';
    request.on('data', (part) => { text += part; });
    request.on('end', () => { messages.push(JSON.parse(text)); response.writeHead(204).end(); });
  }).listen(${PORT});
})`;
