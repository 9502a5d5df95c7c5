import { once } from 'node:events';
import { Writable } from 'node:stream';
import { beforeEach, expect, test } from '@jest/globals';
import type { KubeClient } from '@sightline/kube/kube-client';
import { KubeUnavailable } from '@sightline/kube/kube-errors';
import type { KubeObject } from '@sightline/kube/kube-object';
import { createLogger } from '@sightline/platform/logging/logger';
import { createMetricsRegistry } from '@sightline/platform/metrics/metrics-registry';
import { FakeClock } from '@sightline/platform/resilience/testing/fake-clock';
import { createOperatorRole } from './operator-role.ts';
import type { LeaseObject } from './runtime/leader-election.ts';

const OWNER = { apiVersion: 'v1', kind: 'ServiceAccount', name: 'operator', uid: 'u' };
const NEVER = new AbortController().signal;

let clock: FakeClock;
let lease: LeaseObject | null;
let isUnavailable: boolean;
let failures: unknown[];
/** The rights that the API server denies, as `verb resource`. */
let denied: string[];
let logged: string[];
/** The number of watches in progress. */
let watches: number;

beforeEach(() => {
  [clock, lease, isUnavailable, failures] = [new FakeClock(), null, false, []];
  [denied, logged, watches] = [[], [], 0];
});

/** An API server with a Lease, and nothing to watch. */
const client = {
  get: () => answer(() => lease),
  create: (_place: object, { object }: { object: LeaseObject | Review }) =>
    answer(() => (isReview(object) ? reviewed(object) : (lease = object))),
  replace: (_ref: object, { object }: { object: LeaseObject }) => answer(() => (lease = object)),
  list: () => answer(() => ({ resourceVersion: '1', items: [] })),
  async *watch(_selection: object, signal: AbortSignal) {
    signal.throwIfAborted();
    watches++;
    await once(signal, 'abort');
    watches--;
    yield* [];
    throw signal.reason;
  },
} as unknown as KubeClient;

interface Review extends KubeObject {
  readonly spec: {
    readonly resourceAttributes: { readonly verb: string; readonly resource: string };
  };
}

function isReview(object: LeaseObject | Review): object is Review {
  return object.kind === 'SelfSubjectAccessReview';
}

function reviewed(review: Review) {
  const { verb, resource } = review.spec.resourceAttributes;
  return { ...review, status: { allowed: !denied.includes(`${verb} ${resource}`) } };
}

function answer<T>(result: () => T): Promise<T> {
  return isUnavailable ? Promise.reject(new KubeUnavailable('down')) : Promise.resolve(result());
}

const destination = new Writable({
  write(line: Buffer, _encoding, done) {
    logged.push((JSON.parse(line.toString()) as { msg: string }).msg);
    done();
  },
});

function operator() {
  const registry = createMetricsRegistry();
  const role = createOperatorRole({
    client,
    clock,
    logger: createLogger({ level: 'info', destination }),
    registry,
    poll: () => Promise.resolve(null),
    now: () => 0,
    namespace: 'ns',
    leaseName: 'films-operator',
    leaseOwner: OWNER,
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
  expect(lease?.metadata).toMatchObject({ name: 'films-operator', ownerReferences: [OWNER] });
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

test('a replica that loses its Lease ends its work, stands by, and leads again later', async () => {
  const { role, leads } = operator();
  await role.start(NEVER);
  await clock.pass(0);
  expect([await leads(), watches > 0]).toEqual(['1', true]);
  isUnavailable = true;
  await clock.pass(21_000);
  expect([await role.ready(), await leads(), watches]).toEqual([true, '0', 0]);
  const { metadata, spec } = lease!;
  const taken = { ...spec, holderIdentity: 'two' };
  lease = { ...lease!, metadata: { ...metadata, resourceVersion: '7' }, spec: taken };
  isUnavailable = false;
  await clock.pass(25_000);
  expect([await role.ready(), await leads(), lease.spec.holderIdentity]).toEqual([
    true,
    '0',
    'two',
  ]);
  await clock.pass(15_000);
  expect([await leads(), lease.spec.holderIdentity, watches > 0]).toEqual(['1', 'one', true]);
  await role[Symbol.asyncDispose]();
  expect([failures, watches, lease.spec.holderIdentity]).toEqual([[], 0, '']);
});

test('a replica that cannot read the Lease logs it once', async () => {
  isUnavailable = true;
  const { role } = operator();
  await role.start(NEVER);
  await clock.pass(60_000);
  const unread = 'the Lease could not be read or renewed';
  expect(logged.filter((message) => message === unread)).toHaveLength(1);
  isUnavailable = false;
  await clock.pass(5_000);
  expect(lease?.spec.holderIdentity).toBe('one');
  await role[Symbol.asyncDispose]();
});

test('a replica without its rights is not ready, and names them', async () => {
  denied = ['list pods', 'get leases'];
  const { role } = operator();
  await role.start(NEVER);
  await clock.pass(0);
  expect(await role.ready()).toBe(false);
  const missing =
    'this replica is not ready: it may not get leases.coordination.k8s.io films-operator in the namespace ns, list pods in all namespaces';
  expect(logged).toContain(missing);
  await clock.pass(60_000);
  expect(logged.filter((message) => message === missing)).toHaveLength(1);
  denied = [];
  await clock.pass(10_000);
  expect(await role.ready()).toBe(true);
  // The API server is unavailable for a while, which takes no rights away.
  isUnavailable = true;
  await clock.pass(700_000);
  expect(await role.ready()).toBe(true);
  denied = ['create events'];
  isUnavailable = false;
  await clock.pass(600_000);
  expect(await role.ready()).toBe(false);
  await role[Symbol.asyncDispose]();
  expect(failures).toEqual([]);
});
