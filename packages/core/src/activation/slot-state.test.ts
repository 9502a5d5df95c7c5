import { describe, expect, test } from '@jest/globals';
import type { RegisteredModel } from '../models/model-store.ts';
import { FACE_MODEL, OBJECT_MODEL } from '../models/testing/sample-models.ts';
import type { DesiredSlot } from './rollout-source.ts';
import { nextAttempt, type SlotFacts, slotState } from './slot-state.ts';

const NEXT: RegisteredModel = { ...FACE_MODEL, id: 2, name: 'next', revision: 'a'.repeat(64) };
const DESIRED: DesiredSlot = {
  slot: 'face',
  generation: 3,
  model: NEXT,
  availability: { kind: 'available' },
  isApproved: true,
  reembed: 'before',
  rolledBack: null,
};
const FACTS: SlotFacts = {
  desired: DESIRED,
  active: FACE_MODEL,
  isPending: false,
  row: NEXT,
  isFound: true,
  lost: null,
  lostAt: null,
  attempt: null,
  now: 1_000_000,
};
const LOST = { slot: 'face', revision: NEXT.revision, reason: 'Its threads died.' } as const;

const desired = (changes: Partial<DesiredSlot>) => ({ desired: { ...DESIRED, ...changes } });

describe('the state of a slot', () => {
  test.each<[string, Partial<SlotFacts>, object]>([
    ['everything is ready', {}, { kind: 'due after embedding', row: NEXT }],
    ['no model is desired', desired({ model: null }), { kind: 'idle' }],
    [
      'its pack is not verified',
      desired({ model: { name: 'next', revision: null } }),
      { kind: 'idle' },
    ],
    ['it is active', { active: NEXT }, { kind: 'idle' }],
    [
      'it is not available',
      desired({ availability: { kind: 'unavailable' } }),
      { kind: 'waiting', for: 'availability' },
    ],
    ['this process does not find it', { isFound: false }, { kind: 'waiting', for: 'availability' }],
    ['no process has reported it', { row: null }, { kind: 'waiting', for: 'availability' }],
    ['it is not approved', desired({ isApproved: false }), { kind: 'waiting', for: 'approval' }],
    [
      'no model is active',
      { active: null, ...desired({ isApproved: false }) },
      { kind: 'due', row: NEXT },
    ],
    [
      'faces are embedded after the switch',
      desired({ reembed: 'after' }),
      { kind: 'due', row: NEXT },
    ],
    ['an activation is pending', { isPending: true }, { kind: 'embedding' }],
    ['it was rolled back', { lost: LOST }, { kind: 'rolled back', reason: LOST.reason }],
    [
      'its activation was cancelled',
      { lost: { ...LOST, reason: null } },
      { kind: 'rolled back', reason: expect.stringContaining('was cancelled') },
    ],
    [
      'another model was rolled back',
      { lost: { ...LOST, revision: 'c'.repeat(64) } },
      { kind: 'due after embedding', row: NEXT },
    ],
    [
      'the loss of this desired state is published',
      { lost: LOST, ...desired({ rolledBack: 'this' }) },
      { kind: 'rolled back', reason: LOST.reason },
    ],
    [
      'the loss of an earlier desired state is published',
      { lost: LOST, ...desired({ rolledBack: 'previous' }) },
      { kind: 'reset' },
    ],
    [
      'the loss is of this generation',
      { lost: LOST, lostAt: 3 },
      { kind: 'rolled back', reason: LOST.reason },
    ],
    ['the loss is of an earlier generation', { lost: LOST, lostAt: 2 }, { kind: 'reset' }],
  ])('if %s', (_what, changes, state) => {
    expect(slotState({ ...FACTS, ...changes })).toEqual(state);
  });

  test('a model without embeddings is due at once', () => {
    const row = { ...OBJECT_MODEL, id: 3 };
    const state = slotState({ ...FACTS, ...desired({ model: row }), active: NEXT, row });
    expect(state).toEqual({ kind: 'due', row });
  });
});

test('the pauses between attempts of the same generation grow', () => {
  let attempt = nextAttempt(null, DESIRED, 0);
  const pauses = [attempt.pauseMs];
  for (let i = 0; i < 6; i++) pauses.push((attempt = nextAttempt(attempt, DESIRED, 0)).pauseMs);
  expect(pauses).toEqual([30_000, 60_000, 120_000, 240_000, 480_000, 600_000, 600_000]);
  expect(nextAttempt(attempt, { ...DESIRED, generation: 4 }, 7)).toEqual({
    generation: 4,
    beganAt: 7,
    pauseMs: 30_000,
  });
  const facts = { ...FACTS, attempt: { generation: 3, beganAt: 0, pauseMs: 30_000 } };
  expect(slotState({ ...facts, now: 29_999 })).toEqual({ kind: 'backing off', until: 30_000 });
  expect(slotState({ ...facts, now: 30_000 }).kind).toBe('due after embedding');
  expect(slotState({ ...facts, now: 0, ...desired({ generation: 4 }) }).kind).toBe(
    'due after embedding',
  );
});
