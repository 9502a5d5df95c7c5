import { expect, test } from '@jest/globals';
import type { LeaseStore } from '@sightline/core/leases/lease-store';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import { oneAfterTheOther } from './one-after-the-other.ts';

/** One lease, which ends only when it is given back. */
class Leases implements LeaseStore {
  holder: string | null = null;
  readonly log: ('held' | 'refused' | 'failed' | 'released')[] = [];
  /** The next so many fail. */
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

  async until(word: (typeof this.log)[number], times: number): Promise<void> {
    while (this.log.filter((each) => each === word).length < times) await this.#noted.promise;
  }

  #note(word: (typeof this.log)[number]): void {
    this.log.push(word);
    this.#noted.resolve(null);
    this.#noted = Promise.withResolvers<null>();
  }
}

const turn = (leases: LeaseStore) => ({ leases, name: 'work', seconds: 0.03 });
const { signal } = new AbortController();

test('a turn is prolonged while its work lasts, and given back after it', async () => {
  const leases = new Leases();
  leases.failures = 1;
  const result = await oneAfterTheOther(turn(leases), signal, async () => {
    await leases.until('held', 4);
    return 'done';
  });
  expect(result).toBe('done');
  expect(leases.log.slice(0, 3)).toEqual(['held', 'failed', 'held']);
  expect(leases.log.at(-1)).toBe('released');
  expect(leases.holder).toBeNull();
});

test('others wait for their turns', async () => {
  const leases = new Leases();
  const order: string[] = [];
  const first = oneAfterTheOther(turn(leases), signal, async () => {
    await leases.until('refused', 2);
    order.push('first');
  });
  const second = oneAfterTheOther(turn(leases), signal, () => {
    order.push('second');
    return Promise.resolve();
  });
  await Promise.all([first, second]);
  expect(order).toEqual(['first', 'second']);
});

test('a turn is given back when its work fails', async () => {
  const leases = new Leases();
  const error = new Error('no models');
  await expect(oneAfterTheOther(turn(leases), signal, () => Promise.reject(error))).rejects.toBe(
    error,
  );
  expect(leases.holder).toBeNull();
});

test('who waits leaves on abort', async () => {
  const leases = new Leases();
  leases.holder = 'somebody';
  const controller = new AbortController();
  const waiting = oneAfterTheOther(turn(leases), controller.signal, () => Promise.resolve());
  await leases.until('refused', 1);
  controller.abort(new Error('stop'));
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  expect(leases.holder).toBe('somebody');
});
