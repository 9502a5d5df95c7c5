import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { KubeClient } from '@sightline/kube/kube-client';
import type { KubeConnection } from '@sightline/kube/kube-connection';
import { KubeRefusal, KubeUnavailable } from '@sightline/kube/kube-errors';
import type { KubeObject } from '@sightline/kube/kube-object';
import { ApiServer } from '../support/cluster/api-server.ts';
import { describeWithApiServer } from '../support/cluster/describe-with-api-server.ts';

const NEVER = new AbortController().signal;
const CONFIG_MAPS = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps' };
const OURS = { fieldManager: 'sightline-test' };

interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

const configMap = (name: string, data: Record<string, string> = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels: { suite: name.split('-')[0] } },
  data,
});

describeWithApiServer('a client of the API server', () => {
  let server: ApiServer;
  let connection: KubeConnection;
  let client: KubeClient;
  beforeAll(async () => {
    server = await ApiServer.start();
    connection = await server.connect();
    client = new KubeClient(connection);
  });
  afterAll(async () => {
    await client[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  const collection = { resource: CONFIG_MAPS, namespace: 'default' };
  const apply = (name: string, data: Record<string, string>, options = {}) => {
    const applied = { object: configMap(name, data), ...OURS, ...options };
    return client.apply<ConfigMap>({ ...collection, name }, applied, NEVER);
  };
  const refusalOf = async (work: Promise<unknown>): Promise<KubeRefusal> => {
    const error = await work.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(KubeRefusal);
    return error as KubeRefusal;
  };

  test('creates, reads, replaces, patches and deletes', async () => {
    const ref = { ...collection, name: 'life-1' };
    expect(await client.get(ref, NEVER)).toBeNull();
    const object = configMap('life-1', { a: '1' });
    const created = await client.create<ConfigMap>(collection, { object, ...OURS }, NEVER);
    const again = await refusalOf(client.create(collection, { object, ...OURS }, NEVER));
    expect([again.isConflict, again.status.reason]).toEqual([true, 'AlreadyExists']);
    const replaced = { ...created, data: { a: '2' } };
    await client.replace(ref, { object: replaced, ...OURS }, NEVER);
    const stale = await refusalOf(client.replace(ref, { object: replaced, ...OURS }, NEVER));
    expect([stale.isConflict, stale.status.reason]).toEqual([true, 'Conflict']);
    await client.patch(ref, { patch: { data: { a: null, b: '3' } }, ...OURS }, NEVER);
    expect(await client.get<ConfigMap>(ref, NEVER)).toMatchObject({ data: { b: '3' } });
    const other = { propagationPolicy: 'Background', uid: '0' } as const;
    expect((await refusalOf(client.delete(ref, other, NEVER))).isConflict).toBe(true);
    const own = { propagationPolicy: 'Background', uid: created.metadata.uid! } as const;
    expect(await client.delete(ref, own, NEVER)).toBe(true);
    expect(await client.delete(ref, own, NEVER)).toBe(false);
  });

  test('applies: a field has one owner, unless another manager forces its change', async () => {
    await apply('owned-1', { a: '1', b: '1' });
    const refused = await refusalOf(apply('owned-1', { a: '2' }, { fieldManager: 'argocd' }));
    expect(refused.isConflict).toBe(true);
    expect(refused.status.causes).toMatchObject([
      { field: '.data.a', message: expect.stringContaining('"sightline-test"') },
    ]);
    await apply('owned-1', { a: '2' }, { fieldManager: 'argocd', force: true });
    // A field that its owner no longer applies is removed.
    const stored = await apply('owned-1', { b: '1' });
    expect(stored.data).toEqual({ a: '2', b: '1' });
  });

  test('a dry run stores nothing, and unknown fields are refused by name', async () => {
    await apply('dry-1', { a: '1' });
    expect(await apply('dry-1', { a: '2' }, { dryRun: true })).toMatchObject({ data: { a: '2' } });
    const ref = { ...collection, name: 'dry-1' };
    expect(await client.get(ref, NEVER)).toMatchObject({ data: { a: '1' } });
    const object = { ...configMap('dry-1'), dada: {} };
    const refused = await refusalOf(client.apply(ref, { object, ...OURS }, NEVER));
    expect(refused.message).toContain('dada');
  });

  test('lists a selection in pages, each object with its kind', async () => {
    const names = Array.from({ length: 520 }, (_, at) => `page-${at}`);
    await Promise.all(names.map((name) => apply(name, {})));
    const selection = { ...collection, labelSelector: 'suite=page' };
    const { items, resourceVersion } = await client.list<ConfigMap>(selection, NEVER);
    expect(items.map(({ metadata }) => metadata.name).toSorted()).toEqual(names.toSorted());
    expect(items[0]).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
    expect(Number(resourceVersion)).toBeGreaterThan(0);
  });

  test('watches a selection from the version of a list', async () => {
    await apply('watch-1', { a: '1' });
    const selection = { ...collection, labelSelector: 'suite=watch' };
    const { resourceVersion } = await client.list(selection, NEVER);
    await apply('other-1', {});
    await apply('watch-1', { a: '2' });
    await apply('watch-2', { a: 'ä'.repeat(100_000) });
    const policy = { propagationPolicy: 'Background' } as const;
    await client.delete({ ...collection, name: 'watch-1' }, policy, NEVER);
    const seen: unknown[] = [];
    for await (const event of client.watch<ConfigMap>({ ...selection, resourceVersion }, NEVER)) {
      seen.push([event.type, event.object.metadata.name, event.object.data?.a?.length]);
      if (seen.length === 3) break;
    }
    expect(seen).toEqual([
      ['MODIFIED', 'watch-1', 1],
      ['ADDED', 'watch-2', 100_000],
      ['DELETED', 'watch-1', 1],
    ]);
  });

  test('a watch of an old version expires', async () => {
    await apply('past-1', {});
    // A restarted server has no past versions of its objects.
    await server.stop();
    await server.start();
    const watch = client.watch({ ...collection, resourceVersion: '1' }, NEVER);
    const expired = await refusalOf(watch.next());
    expect(expired.isExpired).toBe(true);
  });

  test('a watch ends with the reason of its abort', async () => {
    const stop = new AbortController();
    const { resourceVersion } = await client.list(collection, NEVER);
    const next = client.watch({ ...collection, resourceVersion }, stop.signal).next();
    stop.abort(new Error('stopped'));
    await expect(next).rejects.toThrow('stopped');
  });

  test('an unknown client is rejected, and an unreachable server is an outage', async () => {
    const { server: address, ca } = connection;
    const unknown = { server: address, ca, token: () => Promise.resolve('guessed') };
    await using refused = new KubeClient(unknown);
    expect((await refusalOf(refused.list(collection, NEVER))).status.code).toBe(401);
    await using unreachable = new KubeClient({ ...unknown, server: 'https://127.0.0.1:1' });
    await expect(unreachable.list(collection, NEVER)).rejects.toThrow(KubeUnavailable);
    await using untrusting = new KubeClient({ ...unknown, ca: null });
    const error: unknown = await untrusting
      .list(collection, NEVER)
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(KubeUnavailable);
    expect(JSON.stringify(error)).not.toContain('guessed');
  });
});
