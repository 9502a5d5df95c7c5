import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { KubeClient } from '@sightline/kube/kube-client';
import type { KubeObject } from '@sightline/kube/kube-object';
import { kubeLeases } from '@sightline/operator/runtime/kube-leases';
import { kubeSource } from '@sightline/kube/kube-source';
import { LeaderElection } from '@sightline/operator/runtime/leader-election';
import { Reflector } from '@sightline/kube/reflector';
import { systemClock } from '@sightline/platform/resilience/clock';
import { ApiServer } from '../support/cluster/api-server.ts';
import { describeWithApiServer } from '../support/cluster/describe-with-api-server.ts';

const NEVER = new AbortController().signal;
const CONFIG_MAPS = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps' };
const collection = { resource: CONFIG_MAPS, namespace: 'default' };

describeWithApiServer('the runtime of the operator on an API server', () => {
  let server: ApiServer;
  let client: KubeClient;
  beforeAll(async () => {
    server = await ApiServer.start();
    client = new KubeClient(await server.connect());
  });
  afterAll(async () => {
    await client[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  const put = (name: string, value: string) => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value } };
    return client.apply({ ...collection, name }, { object, fieldManager: 'test' }, NEVER);
  };

  test('a reflector has every object, even after an outage of the server', async () => {
    await put('a', '1');
    const failures: unknown[] = [];
    const stop = new AbortController();
    const reflector = new Reflector<KubeObject & { readonly data?: object }>({
      source: kubeSource(client, collection),
      clock: systemClock,
      changed: () => undefined,
      failed: (error) => void failures.push(error),
    });
    const ended = reflector.run(stop.signal).catch((error: unknown) => error);
    await reflector.listed;
    const until = async (name: string, value: string | undefined) => {
      const now = () => reflector.get(`default/${name}`)?.data;
      const desired = value === undefined ? undefined : { value };
      while (JSON.stringify(now()) !== JSON.stringify(desired)) await sleep(20);
    };
    await until('a', '1');
    await put('b', '1');
    await until('b', '1');
    await server.stop();
    await server.start();
    await put('a', '2');
    await client.delete({ ...collection, name: 'b' }, { propagationPolicy: 'Background' }, NEVER);
    await until('a', '2');
    await until('b', undefined);
    expect(failures.length).toBeGreaterThan(0);
    stop.abort(new Error('over'));
    expect(await ended).toBe(stop.signal.reason);
  });

  test('one of two replicas leads, and the other one takes over once the leader releases the Lease', async () => {
    const leases = kubeLeases(client, {
      namespace: 'default',
      name: 'sightline-operator',
      owner: null,
    });
    const failures: unknown[] = [];
    const failed = (error: unknown) => void failures.push(error);
    const win = (identity: string) =>
      new LeaderElection({ leases, identity, clock: systemClock, failed }).win(NEVER);
    const both = [win('one'), win('two')] as const;
    const first = await Promise.race(both);
    expect(() => first.require()).not.toThrow();
    await first[Symbol.asyncDispose]();
    const [one, two] = await Promise.all(both);
    const second = first === one ? two : one;
    second.require();
    await second[Symbol.asyncDispose]();
    expect(failures).toEqual([]);
  });
});
