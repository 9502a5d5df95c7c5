import { describe, expect, test } from '@jest/globals';
import type { EntityLock } from '@sightline/core/store/entity-lock';
import { LockPlan, slotLockKey } from './lock-plan.ts';

const identity = (id: number, mode: 'shared' | 'exclusive'): EntityLock => ({
  entity: 'identity',
  id,
  mode,
});
const detection = (id: number): EntityLock => ({ entity: 'detection', id });
const label = (text: string): EntityLock => ({ entity: 'label', type: 'face', label: text });
const source = (digest: string): EntityLock => ({ entity: 'source', digest });
const environment: EntityLock = { entity: 'environment' };

const CLASS_OF_KEY = 2n ** 60n;

describe('LockPlan', () => {
  test('takes locks by class, then by key, in any order of the requests', () => {
    const locks = [
      detection(9),
      detection(2),
      identity(30, 'exclusive'),
      identity(4, 'shared'),
      label('Ann'),
      source('ab'),
    ];
    const calls = callsOf(LockPlan.of(7, locks));
    expect(calls.map(({ key }) => key / CLASS_OF_KEY)).toEqual([1n, 2n, 3n, 4n, 4n, 5n, 5n]);
    expect(calls.map(({ key }) => key)).toEqual(
      calls.map(({ key }) => key).sort((a, b) => (a < b ? -1 : 1)),
    );
    expect(calls.map(({ mode }) => mode)).toEqual([
      'shared',
      'exclusive',
      'exclusive',
      'shared',
      'exclusive',
      'exclusive',
      'exclusive',
    ]);
    expect(callsOf(LockPlan.of(7, locks.reverse()))).toEqual(calls);
  });

  test('takes the shared lock on models first, also with the whole environment', () => {
    const model: EntityLock = { entity: 'models' };
    const plan = LockPlan.of(7, [identity(4, 'shared'), model]);
    expect(callsOf(plan).map(({ key }) => key / CLASS_OF_KEY)).toEqual([6n, 1n, 4n]);
    expect(callsOf(plan)[0]).toEqual({ key: slotLockKey('face'), mode: 'shared' });
    expect(callsOf(plan.with([environment])).map(({ mode }) => mode)).toEqual([
      'shared',
      'exclusive',
    ]);
    expect(plan.precedes([detection(9)])).toBe(true);
    expect(LockPlan.of(7, []).precedes([model])).toBe(false);
    expect(LockPlan.of(7, [environment]).covers(model)).toBe(false);
    expect(plan.covers(model)).toBe(true);
  });

  test('takes each lock once, exclusive if any request is exclusive', () => {
    const both = [identity(4, 'shared'), identity(4, 'exclusive'), identity(4, 'shared')];
    expect(callsOf(LockPlan.of(7, both))).toHaveLength(2);
    expect(callsOf(LockPlan.of(7, both))[1]!.mode).toBe('exclusive');
    expect(callsOf(LockPlan.of(7, []).with(both))[1]!.mode).toBe('exclusive');
  });

  test('has different keys for different environments, kinds and texts', () => {
    const keys = [
      LockPlan.of(7, [label('Ann')]),
      LockPlan.of(8, [label('Ann')]),
      LockPlan.of(7, [label('ann')]),
      LockPlan.of(7, [{ entity: 'label', type: 'object', label: 'Ann' }]),
      LockPlan.of(7, [source('Ann')]),
    ].map((plan) => callsOf(plan)[1]!.key);
    expect(new Set(keys).size).toBe(5);
    expect(keys.every((key) => key > 0n && key < 2n ** 63n)).toBe(true);
  });

  test('covers the locks that it holds, and shared modes of its exclusive locks', () => {
    const plan = LockPlan.of(7, [identity(1, 'shared'), identity(2, 'exclusive'), label('Ann')]);
    expect(plan.covers(identity(1, 'shared'))).toBe(true);
    expect(plan.covers(identity(1, 'exclusive'))).toBe(false);
    expect(plan.covers(identity(2, 'shared'))).toBe(true);
    expect(plan.covers(identity(3, 'shared'))).toBe(false);
    expect(plan.covers(detection(1))).toBe(false);
    expect(plan.covers(label('Ann'))).toBe(true);
    expect(plan.covers(label('Ben'))).toBe(false);
    expect(plan.covers(environment)).toBe(false);
  });

  test('precedes only locks that come later in the order', () => {
    const plan = LockPlan.of(7, [identity(4, 'shared'), identity(9, 'exclusive')]);
    expect(plan.precedes([identity(10, 'shared'), detection(1)])).toBe(true);
    expect(LockPlan.of(7, []).precedes([source('ab')])).toBe(true);
    for (const earlier of [label('Ann'), identity(5, 'shared'), identity(4, 'exclusive')]) {
      expect(plan.precedes([detection(1), earlier])).toBe(false);
    }
    expect(plan.precedes([environment])).toBe(false);
    expect(plan.precedes(Array.from({ length: 500 }, (_, i) => detection(i)))).toBe(false);
  });

  test('covers all entities with the lock of the environment', () => {
    const plan = LockPlan.of(7, [detection(1)]).with([environment]);
    expect(plan.covers(identity(99, 'exclusive'))).toBe(true);
    expect(plan.with([detection(3)]).covers(environment)).toBe(true);
    expect(callsOf(plan)).toEqual([{ key: CLASS_OF_KEY + 7n, mode: 'exclusive' }]);
  });

  test('takes the environment instead of more than 500 different entities', () => {
    const many = Array.from({ length: 500 }, (_, i) => detection(i));
    expect(callsOf(LockPlan.of(7, [...many, detection(0)]))).toHaveLength(501);
    const grown = LockPlan.of(7, many).with([detection(500)]);
    expect(callsOf(grown)).toEqual([{ key: CLASS_OF_KEY + 7n, mode: 'exclusive' }]);
  });
});

function callsOf(plan: LockPlan): { readonly key: bigint; readonly mode: string }[] {
  const calls = plan.toSql().matchAll(/pg_advisory_xact_lock(_shared)?\((\d+)\)/g);
  return Array.from(calls, ([, shared, key]) => ({
    key: BigInt(key!),
    mode: shared === undefined ? 'exclusive' : 'shared',
  }));
}
