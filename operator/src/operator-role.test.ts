import { once } from 'node:events';
import { beforeEach, expect, test } from '@jest/globals';
import type { KubeClient } from '@sightline/kube/kube-client';
import { KubeUnavailable } from '@sightline/kube/kube-errors';
import { createLogger } from '@sightline/platform/logging/logger';
import { createMetricsRegistry } from '@sightline/platform/metrics/metrics-registry';
import { FakeClock } from '@sightline/platform/resilience/testing/fake-clock';
import { createOperatorRole } from './operator-role.ts';
import type { LeaseObject } from './runtime/leader-election.ts';

const NEVER = new AbortController().signal;

let clock: FakeClock;
let lease: LeaseObject | null;
let isUnavailable: boolean;
let failures: unknown[];

beforeEach(() => {
  [clock, lease, isUnavailable, failures] = [new FakeClock(), null, false, []];
});

/** An API server with a Lease, and nothing to watch. */
const client = {
  get: () => answer(() => lease),
  create: (_place: object, { object }: { object: LeaseObject }) => answer(() => (lease = object)),
  replace: (_ref: object, { object }: { object: LeaseObject }) => answer(() => (lease = object)),
  list: () => answer(() => ({ resourceVersion: '1', items: [] })),
  async *watch(_selection: object, signal: AbortSignal) {
    await once(signal, 'abort');
    yield* [];
  },
} as unknown as KubeClient;

function answer<T>(result: () => T): Promise<T> {
  return isUnavailable ? Promise.reject(new KubeUnavailable('down')) : Promise.resolve(result());
}

function operator() {
  const registry = createMetricsRegistry();
  const role = createOperatorRole({
    client,
    clock,
    logger: createLogger({ level: 'silent' }),
    registry,
    poll: () => Promise.resolve(null),
    now: () => 0,
    namespace: 'ns',
    leaseName: 'films-operator',
    identity: 'one',
    namespaces: null,
    requireDigests: false,
    fail: (error) => void failures.push(error),
  });
  const leads = async () =>
    (await registry.getSingleMetricAsString('leader_election_master_status')).split(' ').at(-1);
  return { role, leads };
}

test('a leading replica has a metric, and releases the Lease when it stops', async () => {
  const { role, leads } = operator();
  expect(await role.ready()).toBe(false);
  await role.start(NEVER);
  await clock.pass(0);
  expect([await role.ready(), await leads(), lease?.spec.holderIdentity]).toEqual([
    true,
    '1',
    'one',
  ]);
  expect(lease?.metadata.name).toBe('films-operator');
  await role[Symbol.asyncDispose]();
  expect([await role.ready(), await leads(), lease?.spec.holderIdentity]).toEqual([false, '0', '']);
  expect(failures).toEqual([]);
});

test('a replica that waits for the leader is ready', async () => {
  const spec = { holderIdentity: 'two', leaseDurationSeconds: 30 };
  const metadata = { name: 'sightline-operator', resourceVersion: '1' };
  lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec };
  const { role, leads } = operator();
  await role.start(NEVER);
  await clock.pass(10_000);
  expect([await role.ready(), await leads()]).toEqual([true, '0']);
  await role[Symbol.asyncDispose]();
});

test('a process that has lost its Lease ends', async () => {
  const { role } = operator();
  await role.start(NEVER);
  await clock.pass(0);
  isUnavailable = true;
  await clock.pass(31_000);
  expect(failures).toMatchObject([{ code: 'LEADERSHIP_LOST' }]);
  await role[Symbol.asyncDispose]();
});
