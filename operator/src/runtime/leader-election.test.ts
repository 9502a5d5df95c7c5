import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, expect, test } from '@jest/globals';
import { KubeRefusal, KubeUnavailable, toStatus } from '@sightline/kube/kube-errors';
import { FakeClock } from '@sightline/platform/resilience/testing/fake-clock';
import {
  LeaderElection,
  type Leadership,
  LeadershipLost,
  type LeaseObject,
  type LeaseObjects,
} from './leader-election.ts';

const NEVER = new AbortController().signal;

/** A server with a Lease, which checks versions like the API server. */
class OneLease implements LeaseObjects {
  lease: LeaseObject | null = null;
  /**
   * How the server handles this replica's requests. With `loses answers`, it carries them out, but the response is
   * lost.
   */
  mood: 'answers' | 'is down' | 'hangs' | 'loses answers' = 'answers';
  #version = 0;

  async read(signal: AbortSignal): Promise<LeaseObject | null> {
    await this.#arrive(signal);
    return this.lease;
  }

  async create(spec: LeaseObject['spec'], signal: AbortSignal): Promise<LeaseObject> {
    await this.#arrive(signal);
    if (this.lease !== null) throw conflict();
    return this.#store({ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec });
  }

  async replace(lease: LeaseObject, signal: AbortSignal): Promise<LeaseObject> {
    await this.#arrive(signal);
    if (this.lease?.metadata.resourceVersion !== lease.metadata.resourceVersion) throw conflict();
    const stored = this.#store(lease);
    if (this.mood === 'loses answers') throw new KubeUnavailable('cut');
    return stored;
  }

  #store(lease: LeaseObject): LeaseObject {
    this.#version += 1;
    const stored = { ...lease, metadata: { ...metadata, resourceVersion: String(this.#version) } };
    this.lease = stored;
    return stored;
  }

  async #arrive(signal: AbortSignal): Promise<void> {
    await turn();
    signal.throwIfAborted();
    if (this.mood === 'is down') throw new KubeUnavailable('down');
    if (this.mood !== 'hangs') return;
    await new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
  }
}

const metadata = { name: 'sightline-operator', namespace: 'sightline' };
const conflict = () => new KubeRefusal(toStatus(409, '{"reason":"Conflict"}', undefined));

let clock: FakeClock;
let leases: OneLease;
let failures: unknown[];
beforeEach(() => {
  clock = new FakeClock();
  leases = new OneLease();
  failures = [];
});

function replica(identity: string, of: LeaseObjects = leases): Promise<Leadership> {
  const failed = (error: unknown) => void failures.push(error);
  const won = new LeaderElection({ leases: of, identity, clock, failed }).win(NEVER);
  won.catch(() => undefined);
  return won;
}

async function hasWon(won: Promise<Leadership>): Promise<boolean> {
  return (await Promise.race([won, turn(null)])) !== null;
}

/** Advances the clock in steps, with time for responses between them. */
async function pass(milliseconds: number): Promise<void> {
  for (let left = milliseconds; left > 0; left -= 500) {
    await clock.pass(Math.min(left, 500));
    for (let turns = 0; turns < 8; turns++) await turn();
  }
}

test('the first replica leads for as long as it renews, and a second one waits', async () => {
  const first = await replica('one');
  const second = replica('two');
  await pass(120_000);
  expect(await hasWon(second)).toBe(false);
  expect(first.signal.aborted).toBe(false);
  expect(() => first.require()).not.toThrow();
  expect(leases.lease?.spec).toMatchObject({ holderIdentity: 'one', leaseTransitions: 1 });
});

test('another replica takes a released Lease within seconds', async () => {
  const first = await replica('one');
  const second = replica('two');
  await pass(5_000);
  await first[Symbol.asyncDispose]();
  await pass(3_000);
  expect(await hasWon(second)).toBe(true);
  expect(leases.lease?.spec).toMatchObject({ holderIdentity: 'two', leaseTransitions: 2 });
});

test('a leader that cannot renew stops before another one takes over', async () => {
  const first = await replica('one', cutOff(leases));
  const second = replica('two');
  await pass(25_000);
  expect(first.signal.reason).toBeInstanceOf(LeadershipLost);
  expect(() => first.require()).toThrow(LeadershipLost);
  expect(await hasWon(second)).toBe(false);
  await pass(10_000);
  expect(await hasWon(second)).toBe(true);
});

test('a leader whose requests hang notices the deadline', async () => {
  const first = await replica('one');
  leases.mood = 'hangs';
  await pass(20_000);
  expect(first.signal.reason).toBeInstanceOf(LeadershipLost);
});

test('a leader that was paused writes nothing more', async () => {
  const first = await replica('one');
  await clock.stall(60_000);
  expect(() => first.require()).toThrow(LeadershipLost);
});

test('a leader survives the loss of a response to its renewal', async () => {
  const first = await replica('one');
  leases.mood = 'loses answers';
  await pass(11_000);
  expect(failures.length).toBeGreaterThan(0);
  leases.mood = 'answers';
  await pass(60_000);
  expect(first.signal.aborted).toBe(false);
});

test('a leader survives an outage that is shorter than the deadline', async () => {
  const first = await replica('one');
  await pass(9_000);
  leases.mood = 'is down';
  await pass(8_000);
  leases.mood = 'answers';
  await pass(60_000);
  expect(first.signal.aborted).toBe(false);
});

test('a leader stops at once after another replica has taken its Lease', async () => {
  const first = await replica('one');
  const { spec, ...rest } = leases.lease!;
  await leases.replace({ ...rest, spec: { ...spec, holderIdentity: 'two' } }, NEVER);
  await pass(10_500);
  expect(first.signal.reason).toBeInstanceOf(LeadershipLost);
});

test('exactly one of many replicas wins', async () => {
  const replicas = ['one', 'two', 'three', 'four'].map((identity) => replica(identity));
  await pass(3_000);
  const won = await Promise.all(replicas.map(hasWon));
  expect(won.filter(Boolean)).toHaveLength(1);
  expect(failures).toEqual([]);
});

/** Access to the Lease for a replica whose network fails after it has won the Lease. */
function cutOff(all: LeaseObjects): LeaseObjects {
  let requests = 0;
  const answer = <Args extends unknown[], Result>(request: (...args: Args) => Promise<Result>) => {
    return (...args: Args): Promise<Result> => {
      requests += 1;
      return requests <= 2 ? request(...args) : Promise.reject(new KubeUnavailable('cut off'));
    };
  };
  return {
    read: answer((signal: AbortSignal) => all.read(signal)),
    create: answer((spec: LeaseObject['spec'], signal: AbortSignal) => all.create(spec, signal)),
    replace: answer((lease: LeaseObject, signal: AbortSignal) => all.replace(lease, signal)),
  };
}
