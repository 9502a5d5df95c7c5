import { describe, expect, test } from '@jest/globals';
import type { DesiredSet } from './desired-set.ts';
import {
  inPreference,
  nextStep,
  type Partition,
  SET_LIFE,
  type SetFacts,
  type SetState,
} from './set-life.ts';

const set = (face: string, state: SetState, partition: Partition | null = null): SetFacts => ({
  desired: { provider: 'cpu', face },
  state,
  partition,
});
const A = set('a', 'warm', 0);
const B = set('b', 'warm', 1);
const desired = (...faces: readonly string[]): readonly DesiredSet[] =>
  faces.map((face) => ({ provider: 'cpu', face }));

describe('the next step', () => {
  test.each<[string, readonly SetFacts[], readonly DesiredSet[], unknown]>([
    ['nothing is desired', [A], [], null],
    ['what is desired is warm', [A], desired('a'), null],
    ['a set is desired', [A, set('b', 'desired')], desired('a', 'b'), ['fetch', 'b']],
    [
      'of two sets that are desired, the preferred one is first',
      [set('b', 'desired'), set('a', 'desired')],
      desired('a', 'b'),
      ['fetch', 'a'],
    ],
    [
      'one set at a time is loaded',
      [set('a', 'loading', 0), set('b', 'desired')],
      desired('a', 'b'),
      null,
    ],
    [
      'one set at a time is fetched',
      [set('a', 'aborting', 0), set('b', 'desired')],
      desired('b'),
      null,
    ],
    ['a set is fetched', [A, set('b', 'fetched')], desired('a', 'b'), ['load', 'b', 1]],
    [
      'both places are taken by sets of which one is not desired',
      [A, B, set('c', 'fetched')],
      desired('a', 'c'),
      ['drop', 'b'],
    ],
    [
      'neither of both is desired: the second one goes',
      [A, B, set('c', 'fetched')],
      desired('c'),
      ['drop', 'b'],
    ],
    [
      'a partition is about to be free',
      [A, set('b', 'draining', 1), set('c', 'fetched')],
      desired('c'),
      null,
    ],
    ['a fetch is not desired any more', [A, set('b', 'fetching')], desired('a'), ['drop', 'b']],
    ['a failure is not desired any more', [A, set('b', 'failed')], desired('a'), ['drop', 'b']],
    ['a set was replaced', [A, B], desired('b'), ['drop', 'a']],
    ['its successor is still loaded', [A, set('b', 'loading', 1)], desired('b'), null],
    ['its successor has failed', [A, set('b', 'failed')], desired('b'), null],
    ['one of two has failed', [A, B, set('c', 'failed')], desired('b', 'c'), ['drop', 'a']],
    [
      'it was loaded although it was being stopped',
      [A, set('a', 'desired')],
      desired('a'),
      ['drop', 'a'],
    ],
  ])('if %s', (...[, sets, desired, expected]) => {
    const step = nextStep(sets, desired);
    const found = step && [
      step.kind,
      step.set.desired.face,
      ...(step.kind === 'load' ? [step.partition] : []),
    ];
    expect(found).toEqual(expected);
  });

  test('a set that has more than is desired is kept, on the same device only', () => {
    const both = { ...A, desired: { provider: 'cpu', face: 'a', object: 'o' } } as const;
    expect(nextStep([both], desired('a'))).toBeNull();
    expect(inPreference([B, both], desired('a'))).toEqual([both, B]);
    const onGpu: readonly DesiredSet[] = [{ provider: 'cuda', face: 'a' }];
    const next = { desired: onGpu[0]!, state: 'desired', partition: null } as const;
    expect(nextStep([both, next], onGpu)).toEqual({ kind: 'fetch', set: next });
  });
});

describe('the life of a set', () => {
  const path = (...events: readonly (keyof (typeof SET_LIFE)[SetState])[]) => {
    let state: SetState | 'removed' = 'desired';
    for (const event of events) {
      if (state === 'removed') return 'no event changes it';
      state = SET_LIFE[state][event] ?? state;
    }
    return state;
  };

  test.each([
    ['is warm', ['fetch', 'fetched', 'load', 'loaded'], 'warm'],
    [
      'ends after its last request',
      ['fetch', 'fetched', 'load', 'loaded', 'drop', 'end'],
      'removed',
    ],
    ['is tried again', ['fetch', 'fail', 'retry'], 'desired'],
    ['fails to be loaded', ['fetch', 'fetched', 'load', 'fail'], 'failed'],
    ['is stopped while it is fetched', ['fetch', 'drop', 'fail'], 'removed'],
    ['is stopped while it is loaded', ['fetch', 'fetched', 'load', 'drop', 'fail'], 'removed'],
    ['is warm before it can be stopped', ['fetch', 'fetched', 'load', 'drop', 'loaded'], 'warm'],
    ['goes before it is fetched', ['drop'], 'removed'],
    ['is not retried while it is warm', ['fetch', 'fetched', 'load', 'loaded', 'retry'], 'warm'],
  ] as const)('it %s', (_what, events, state) => {
    expect(path(...events)).toBe(state);
  });
});
