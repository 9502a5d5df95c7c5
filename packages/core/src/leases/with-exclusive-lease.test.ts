import { expect, test } from '@jest/globals';
import { StoreUnavailable } from '../store/store-errors.ts';
import type { LeaseStore } from './lease-store.ts';
import { withExclusiveLease } from './with-exclusive-lease.ts';

/** A store with one lease that never expires. */
class Leases implements LeaseStore {
  holder: string | null = null;
  readonly log: ('held' | 'refused' | 'failed' | 'released')[] = [];
  /** The number of the next renewals that fail. */
  failures = 0;
  #noted = Promise.withResolvers<null>();

  hold(_: string, holder: string): Promise<boolean> {
    if (this.holder !== null && this.failures > 0) {
      this.failures -= 1;
      this.#note('failed');
      return Promise.reject(new StoreUnavailable('The database is down.'));
    }
    const isFree = this.holder === null || this.holder === holder;
    if (isFree) this.holder = holder;
    this.#note(isFree ? 'held' : 'refused');
    return Promise.resolve(isFree);
  }

  release(): Promise<void> {
    this.holder = null;
    this.#note('released');
    return Promise.resolve();
  }

  async until(event: (typeof this.log)[number], times: number): Promise<void> {
    while (this.log.filter((each) => each === event).length < times) await this.#noted.promise;
  }

  #note(event: (typeof this.log)[number]): void {
    this.log.push(event);
    this.#noted.resolve(null);
    this.#noted = Promise.withResolvers<null>();
  }
}

const leaseOf = (leases: LeaseStore) => ({ leases, name: 'work', seconds: 0.03 });
const { signal } = new AbortController();

test('a lease is renewed while the work runs, and released after it', async () => {
  const leases = new Leases();
  leases.failures = 1;
  const result = await withExclusiveLease(leaseOf(leases), signal, async () => {
    await leases.until('held', 4);
    return 'done';
  });
  expect(result).toBe('done');
  expect(leases.log.slice(0, 3)).toEqual(['held', 'failed', 'held']);
  expect(leases.log.at(-1)).toBe('released');
  expect(leases.holder).toBeNull();
});

test('another process waits until the lease is released', async () => {
  const leases = new Leases();
  const order: string[] = [];
  const first = withExclusiveLease(leaseOf(leases), signal, async () => {
    await leases.until('refused', 2);
    order.push('first');
  });
  const second = withExclusiveLease(leaseOf(leases), signal, () => {
    order.push('second');
    return Promise.resolve();
  });
  await Promise.all([first, second]);
  expect(order).toEqual(['first', 'second']);
});

test('a lease is released when the work fails', async () => {
  const leases = new Leases();
  const error = new Error('no models');
  await expect(
    withExclusiveLease(leaseOf(leases), signal, () => Promise.reject(error)),
  ).rejects.toBe(error);
  expect(leases.holder).toBeNull();
});

test('a wait for the lease ends on abort', async () => {
  const leases = new Leases();
  leases.holder = 'another process';
  const controller = new AbortController();
  const waiting = withExclusiveLease(leaseOf(leases), controller.signal, () => Promise.resolve());
  await leases.until('refused', 1);
  controller.abort(new Error('stop'));
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  expect(leases.holder).toBe('another process');
});
