import { describe, expect, test } from '@jest/globals';
import type { DecidedDetection } from '../references/face-record.ts';
import {
  type FaceAction,
  type FaceChange,
  type FaceRow,
  type FaceState,
  isDecided,
  mayEnroll,
  planFaceAction,
} from './face-action.ts';

const ANN = 1;
const BEA = 2;
const ACTIVE = 10;
const PREVIOUS = 11;
const NEWEST = { detectionId: 7, isLatest: true };
const OLDER = { detectionId: 7, isLatest: false };

const DETECTION: DecidedDetection = {
  id: 7,
  type: 'face',
  identityId: null,
  similarity: null,
  reviewStatus: 'pending',
  decidedBy: 'automatic',
  dismissedAt: null,
  mismatchReviewed: false,
};

function face(detection: Partial<DecidedDetection>, more: Partial<FaceState> = {}): FaceState {
  return {
    detection: { ...DETECTION, ...detection },
    references: [],
    rejections: [],
    modelId: ACTIVE,
    isEmbedded: true,
    embeddedFor: [ACTIVE],
    ...more,
  };
}

function reference(modelId: number, identityId = ANN) {
  return { id: 100 + modelId, detectionId: 7, identityId, modelId };
}

const STATES = {
  unknown: face({}),
  'left alone by a person': face({ decidedBy: 'human' }),
  'matched with Ann': face({ identityId: ANN, similarity: 0.6 }),
  'confirmed as Ann, not enrolled': face({
    identityId: ANN,
    similarity: 0.9,
    reviewStatus: 'confirmed',
    mismatchReviewed: true,
  }),
  'confirmed as Ann, enrolled': face(
    { identityId: ANN, reviewStatus: 'confirmed', decidedBy: 'human', mismatchReviewed: true },
    { references: [reference(PREVIOUS), reference(ACTIVE)] },
  ),
  'enrolled as Ann for a previous model': face(
    { identityId: ANN, reviewStatus: 'confirmed', decidedBy: 'human' },
    { references: [reference(PREVIOUS)] },
  ),
  'rejected from Ann, before that from Bea': face(
    { reviewStatus: 'rejected', decidedBy: 'human' },
    {
      rejections: [
        { identityId: BEA, ...OLDER },
        { identityId: ANN, ...NEWEST },
      ],
    },
  ),
  'rejected without an identity, before that from Bea': face(
    { reviewStatus: 'rejected', decidedBy: 'human' },
    { rejections: [{ identityId: BEA, ...OLDER }] },
  ),
} as const satisfies Record<string, FaceState>;

type State = keyof typeof STATES;

/** The identity that the table's actions name. */
function givenFor(action: FaceAction): number | null {
  return ['confirm', 'reassign', 'relabel'].includes(action) ? BEA : null;
}

/** Describes a transition in one line, without the parts that do not change. */
function summary(action: FaceAction, state: FaceState): string {
  let change: FaceChange;
  try {
    change = planFaceAction(action, state, givenFor(action));
  } catch (error) {
    return (error as { code: string }).code;
  }
  return [...rowSummary(state.detection, change.row), ...otherSummary(change)].join(', ');
}

function nameOf(id: number | null): string {
  return { [ANN]: 'Ann', [BEA]: 'Bea', null: 'none' }[String(id)]!;
}

function rowSummary(before: DecidedDetection, row: FaceRow): string[] {
  const reviewed = row.mismatchReviewed ? 'mismatch reviewed' : 'mismatch open';
  const parts: readonly (readonly [changed: boolean, text: string])[] = [
    [row.identityId !== before.identityId, nameOf(row.identityId)],
    [row.reviewStatus !== before.reviewStatus, row.reviewStatus],
    [row.decidedBy !== before.decidedBy, 'by a person'],
    [row.similarity !== before.similarity, 'similarity cleared'],
    [row.mismatchReviewed !== before.mismatchReviewed, reviewed],
    [row.isDismissed && before.dismissedAt === null, 'dismissed'],
    [!row.isDismissed && before.dismissedAt !== null, 'in the queue'],
  ];
  return parts.flatMap(([changed, text]) => (changed ? [text] : []));
}

function otherSummary({ revokes, enrollsFor, forgets, rejects }: FaceChange): string[] {
  return [
    ...revokes.map(({ modelId }) => `-${modelId}`),
    ...enrollsFor.map((modelId) => `+${modelId}`),
    ...(forgets === null ? [] : [`forgets ${nameOf(forgets)}`]),
    ...(rejects === null ? [] : [`rejects ${nameOf(rejects.identityId)}`]),
  ];
}

/** The result of each action in each state. Actions that assign an identity assign Bea. */
const TABLE: Readonly<Record<State, Readonly<Record<FaceAction, string>>>> = {
  unknown: {
    confirm: 'Bea, confirmed, by a person, +10',
    reassign: 'Bea, confirmed, by a person, +10',
    relabel: 'Bea, confirmed, by a person, +10',
    unassign: 'by a person',
    reject: 'rejected, by a person, rejects none',
    restore: 'not_rejected',
    enroll: 'not_assigned',
    revoke: '',
    dismiss: 'dismissed',
    dismissMismatch: 'mismatch reviewed',
  },
  'left alone by a person': {
    confirm: 'Bea, confirmed, +10',
    reassign: 'Bea, confirmed, +10',
    relabel: 'Bea, confirmed, +10',
    unassign: '',
    reject: 'rejected, rejects none',
    restore: 'not_rejected',
    enroll: 'not_assigned',
    revoke: '',
    dismiss: 'dismissed',
    dismissMismatch: 'mismatch reviewed',
  },
  'matched with Ann': {
    confirm: 'Bea, confirmed, by a person, similarity cleared, +10',
    reassign: 'Bea, confirmed, by a person, similarity cleared, +10',
    relabel: 'Bea, confirmed, by a person, similarity cleared, +10',
    unassign: 'none, by a person, similarity cleared',
    reject: 'none, rejected, by a person, similarity cleared, rejects Ann',
    restore: 'not_rejected',
    enroll: 'confirmed, by a person, +10',
    revoke: '',
    dismiss: 'dismissed',
    dismissMismatch: 'mismatch reviewed',
  },
  'confirmed as Ann, not enrolled': {
    confirm: 'Bea, by a person, similarity cleared, mismatch open, +10',
    reassign: 'Bea, by a person, similarity cleared, mismatch open, +10',
    relabel: 'Bea, by a person, similarity cleared, mismatch open, +10',
    unassign: 'none, pending, by a person, similarity cleared, mismatch open',
    reject: 'none, rejected, by a person, similarity cleared, mismatch open, rejects Ann',
    restore: 'not_rejected',
    enroll: 'by a person, +10',
    revoke: '',
    dismiss: 'dismissed',
    dismissMismatch: '',
  },
  'confirmed as Ann, enrolled': {
    confirm: 'Bea, mismatch open, -11, -10, +11, +10',
    reassign: 'Bea, mismatch open, -11, -10, +11, +10',
    relabel: 'Bea, mismatch open, -11, -10, +11, +10',
    unassign: 'none, pending, mismatch open, -11, -10',
    reject: 'none, rejected, mismatch open, -11, -10, rejects Ann',
    restore: 'not_rejected',
    enroll: '',
    revoke: '-11, -10',
    dismiss: 'dismissed',
    dismissMismatch: '',
  },
  'enrolled as Ann for a previous model': {
    confirm: 'Bea, -11, +11, +10',
    reassign: 'Bea, -11, +11, +10',
    relabel: 'Bea, -11, +11, +10',
    unassign: 'none, pending, -11',
    reject: 'none, rejected, -11, rejects Ann',
    restore: 'not_rejected',
    enroll: '+10',
    revoke: '-11',
    dismiss: 'dismissed',
    dismissMismatch: 'mismatch reviewed',
  },
  'rejected from Ann, before that from Bea': {
    confirm: 'Bea, confirmed, +10, forgets Bea',
    reassign: 'Bea, confirmed, +10, forgets Bea',
    relabel: 'Bea, confirmed, +10, forgets Bea',
    unassign: 'pending',
    reject: '',
    restore: 'Ann, pending, forgets Ann',
    enroll: 'not_assigned',
    revoke: '',
    dismiss: 'dismissed',
    dismissMismatch: 'mismatch reviewed',
  },
  'rejected without an identity, before that from Bea': {
    confirm: 'Bea, confirmed, +10, forgets Bea',
    reassign: 'Bea, confirmed, +10, forgets Bea',
    relabel: 'Bea, confirmed, +10, forgets Bea',
    unassign: 'pending',
    reject: '',
    restore: 'pending',
    enroll: 'not_assigned',
    revoke: '',
    dismiss: 'dismissed',
    dismissMismatch: 'mismatch reviewed',
  },
};

const ACTIONS = Object.keys(TABLE.unknown) as FaceAction[];
const CELLS = Object.entries(TABLE).flatMap(([state, row]) =>
  ACTIONS.map((action) => [action, state as State, row[action]] as const),
);

describe('the table', () => {
  test.each(CELLS)('%s of a face that is %s: "%s"', (action, state, expected) => {
    expect(summary(action, STATES[state])).toBe(expected);
  });

  test.each(CELLS)('%s of a face that is %s and dismissed', (action, state, expected) => {
    const { detection, ...more } = STATES[state];
    const dismissed = { ...more, detection: { ...detection, dismissedAt: new Date(1) } };
    const ends = ['confirm', 'reassign', 'relabel', 'unassign', 'restore'].includes(action);
    const isRefused = ['not_rejected', 'not_assigned'].includes(expected);
    const got = summary(action, dismissed);
    expect(got.includes('in the queue')).toBe(ends && !isRefused);
    const others = (text: string) =>
      text.split(', ').filter((part) => part !== 'in the queue' && part !== 'dismissed' && part);
    expect(others(got)).toEqual(others(expected));
  });
});

test('the same identity again adds what is missing, and keeps similarity and review', () => {
  const confirm = (state: State) => planFaceAction('confirm', STATES[state], ANN);
  expect(confirm('confirmed as Ann, not enrolled')).toMatchObject({
    row: { similarity: 0.9, mismatchReviewed: true, decidedBy: 'human' },
    revokes: [],
    enrollsFor: [ACTIVE],
  });
  expect(confirm('enrolled as Ann for a previous model')).toMatchObject({
    revokes: [],
    enrollsFor: [ACTIVE],
  });
  const again = confirm('confirmed as Ann, enrolled');
  expect(again).toMatchObject({ revokes: [], enrollsFor: [], forgets: null, rejects: null });
  expect(isDecided(again, STATES['confirmed as Ann, enrolled'].detection)).toBe(false);
});

test('without a vector of the active model, a face is only a reference for other models', () => {
  const moved = { references: [reference(PREVIOUS)], isEmbedded: false, embeddedFor: [] };
  const state = face({ identityId: ANN, reviewStatus: 'confirmed' }, moved);
  expect(planFaceAction('confirm', state, BEA).enrollsFor).toEqual([PREVIOUS]);
  expect(() => planFaceAction('enroll', state)).toThrow(
    expect.objectContaining({ code: 'no_embedding' }),
  );
  const noVector = { isEmbedded: false, embeddedFor: [] };
  const noModel = face({ identityId: ANN }, { modelId: null, ...noVector });
  expect(planFaceAction('confirm', noModel, ANN).enrollsFor).toEqual([]);
});

test('a face without an embedding of the active model is a reference for the models that have embedded it', () => {
  const state = face({}, { isEmbedded: false, embeddedFor: [PREVIOUS] });
  expect(planFaceAction('confirm', state, ANN).enrollsFor).toEqual([PREVIOUS]);
  const enrolled = { ...state, references: [reference(PREVIOUS)] };
  expect(planFaceAction('confirm', enrolled, ANN).enrollsFor).toEqual([]);
  const known = face({}, { embeddedFor: [PREVIOUS, ACTIVE] });
  expect(planFaceAction('confirm', known, ANN).enrollsFor).toEqual([ACTIVE]);
});

test('an object can be relabeled, and nothing else', () => {
  const object = face({ type: 'object', identityId: ANN }, { isEmbedded: false, embeddedFor: [] });
  for (const action of ACTIONS.filter((name) => name !== 'relabel')) {
    expect(summary(action, object)).toBe('not_a_face');
  }
  expect(summary('relabel', object)).toBe('Bea, confirmed, by a person');
});

test('the identity of the latest rejection may have been deleted', () => {
  const state = face({ reviewStatus: 'rejected' }, { rejections: [{ identityId: BEA, ...OLDER }] });
  expect(planFaceAction('restore', state).row.identityId).toBeNull();
});

test('a repeated action changes nothing', () => {
  for (const [action, state] of CELLS) {
    if (action === 'restore' || summary(action, STATES[state]) === 'not_assigned') continue;
    const before = STATES[state];
    const { row, revokes, enrollsFor, forgets, rejects } = planFaceAction(
      action,
      before,
      givenFor(action),
    );
    const added = enrollsFor.map((modelId) => reference(modelId, row.identityId!));
    const left = before.references.filter((link) => !revokes.includes(link));
    const rejections = before.rejections.filter(({ identityId }) => identityId !== forgets);
    const rejected = rejects?.identityId ?? null;
    const { isDismissed, ...columns } = row;
    const after: FaceState = {
      ...before,
      detection: {
        ...before.detection,
        ...columns,
        dismissedAt: isDismissed ? new Date(1) : null,
      },
      references: [...left, ...added],
      rejections: rejected === null ? rejections : [{ identityId: rejected, ...NEWEST }],
    };
    expect([action, state, summary(action, after)]).toEqual([action, state, '']);
  }
});

test('a face is rejected from the identity that the action names', () => {
  const { row, rejects } = planFaceAction('reject', face({}), ANN);
  expect([row.identityId, row.reviewStatus, rejects]).toEqual([
    null,
    'rejected',
    { identityId: ANN },
  ]);
  const rejected = face(
    { reviewStatus: 'rejected', decidedBy: 'human' },
    { rejections: [{ identityId: ANN, ...OLDER }] },
  );
  expect(planFaceAction('reject', rejected, ANN).rejects).toBeNull();
  expect(planFaceAction('reject', rejected, BEA).rejects).toEqual({ identityId: BEA });
  expect(planFaceAction('reject', rejected).rejects).toBeNull();
});

test('only assignments and enrollments may make references', () => {
  expect(ACTIONS.filter(mayEnroll)).toEqual(['confirm', 'reassign', 'relabel', 'enroll']);
});
