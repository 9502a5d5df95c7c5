import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../support/waits/wait-until.ts';
import pg from 'pg';
import { describeOnNode } from '../support/cluster/describe-on-node.ts';
import type { NodeNamespace } from '../support/cluster/node.ts';
import { NETWORK_OF_NODE, Quickstart, STORES } from '../support/cluster/quickstart.ts';
import { startScriptPod } from '../support/cluster/script-pod.ts';
import { untilAvailable } from '../support/servers/until-available.ts';
import { ok } from '../support/services/ok.ts';
import { NODE_MS } from '../support/waits/limits.ts';

const PORT = 8080;
/** Time in ms after which a process has read a changed file of a Secret. */
const READ_MS = 12_000;

interface Pods {
  readonly items: readonly {
    readonly metadata: { readonly name: string };
    readonly status: { readonly containerStatuses: readonly { readonly restartCount: number }[] };
  }[];
}

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
        body: { url: `http://${sink}:${PORT}/`, events: ['identity.created'], secret: 'shared' },
      }),
    );
  }, NODE_MS);
  afterAll(() => quickstart[Symbol.asyncDispose](), NODE_MS);

  /** Creates an identity. @returns its id */
  async function enroll(label: string): Promise<number> {
    const { client } = quickstart;
    return ok(await client.createIdentity({ body: { label, type: 'face' } })).id;
  }

  /** Waits until the feed and the webhook have reported these identities. */
  async function waitForEvents(ids: readonly number[]): Promise<void> {
    for (const readIds of [idsOfFeed, idsOfWebhook]) {
      await waitUntil(`the identities ${ids.join()} are reported`, readIds, {
        isDone: (found) => ids.every((id) => found.includes(id)),
        pauseMs: 300,
      });
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
    NODE_MS,
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
    NODE_MS,
  );

  test(
    'the key of stored secrets is rotated with the documented commands, and webhooks are still delivered',
    async () => {
      const documented = await quickstart.documentedCommands('secrets', 'secret-key');
      const update = `kubectl -n ${namespace.name} annotate pods --all --overwrite example.com/updated="$(date +%s%N)" >&2`;
      const commands = documented.replaceAll('sleep 120', `{ ${update} && sleep 3; }`);
      expect(commands).not.toBe(documented);
      const before = await quickstart.secret('secret-key');
      expect(await namespace.bash(commands)).toMatch(
        /^Encrypted again with the key [0-9a-f]{8}: 1 secret of webhooks, 0 passwords/m,
      );
      expect(await quickstart.secret('secret-key')).not.toContain(before);
      await waitForEvents([await enroll('after another key')]);
    },
    NODE_MS,
  );

  test(
    'the password of the database changes, no process restarts, and no event is lost',
    async () => {
      const restarts = async () => {
        const pods = await namespace.get<Pods>('pods', '--selector=sightline.dev/role');
        return pods.items.map(({ metadata, status }) => [
          metadata.name,
          status.containerStatuses.map(({ restartCount }) => restartCount),
        ]);
      };
      const before = await restarts();
      const old = (await quickstart.secret('url')).trim();
      const password = 'f'.repeat(48);
      const url = old.replace(/:[^:@]+@/, `:${password}@`);
      await quickstart.setSecret({ url: `${url}\n${old}\n` });
      await namespace.updateSecrets('--all');
      await sleep(READ_MS);
      await using database = await connectAsOwner();
      for (const role of ['sightline_app', 'sightline_platform']) {
        await database.query(`ALTER ROLE ${role} PASSWORD '${password}'`);
      }
      // New connections have to log in with the new password.
      await database.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename IN ($1, $2)',
        ['sightline_app', 'sightline_platform'],
      );
      await untilAvailable(() => quickstart.client.listIdentities({ query: {} }));
      await quickstart.setSecret({ url });
      await waitForEvents([await enroll('after another password')]);
      expect(await restarts()).toEqual(before);
    },
    NODE_MS,
  );

  /** A connection of the owner of the database. */
  async function connectAsOwner() {
    const { data } = await namespace.get<{ readonly data: { readonly url: string } }>(
      'secret',
      `${quickstart.name}-quickstart-owner`,
    );
    const url = new URL(Buffer.from(data.url, 'base64').toString());
    url.hostname = await namespace.podAddress(`${quickstart.name}-postgres-0`);
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    const query = (text: string, values: readonly string[] = []) => client.query(text, [...values]);
    return { query, [Symbol.asyncDispose]: () => client.end() };
  }
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
