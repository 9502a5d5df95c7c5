import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decideFaces, type FaceToDecide, type ImageRules } from './decide-face.ts';

const RULES: ImageRules = {
  matchThreshold: 0.5,
  autoConfirmThreshold: 0.8,
  autoEnrollThreshold: 0.92,
  taken: new Set(),
};
const ANN = 1;
const BOB = 2;

const person = (identityId: number, similarity: number) => ({ identityId, similarity });
const face = (candidates: [number, number][], more: Partial<FaceToDecide> = {}): FaceToDecide => ({
  candidates: candidates.map(([identityId, similarity]) => person(identityId, similarity)),
  rejected: new Set(),
  quality: 1,
  ceiling: 'confirmed',
  ...more,
});
const decide = (one: FaceToDecide, rules: Partial<ImageRules> = {}) =>
  decideFaces([one], { ...RULES, ...rules })[0]!;

describe('a face', () => {
  test('below the match threshold is unidentified, with the best similarity', () => {
    expect(decide(face([[ANN, 0.49]]))).toEqual({
      identityId: null,
      similarity: 0.49,
      reviewStatus: 'pending',
      enroll: false,
      suggestions: [person(ANN, 0.49)],
    });
  });

  test('from the match threshold on is its best candidate, pending', () => {
    expect(
      decide(
        face([
          [BOB, 0.4],
          [ANN, 0.5],
        ]),
      ),
    ).toEqual({
      identityId: ANN,
      similarity: 0.5,
      reviewStatus: 'pending',
      enroll: false,
      suggestions: [person(ANN, 0.5), person(BOB, 0.4)],
    });
  });

  test('from the confirmation threshold on is confirmed', () => {
    expect(decide(face([[ANN, 0.8]]))).toMatchObject({ reviewStatus: 'confirmed', enroll: true });
    expect(decide(face([[ANN, 0.79]]))).toMatchObject({ reviewStatus: 'pending', enroll: false });
  });

  test('without candidates is unknown', () => {
    expect(decide(face([]))).toEqual({
      identityId: null,
      similarity: null,
      reviewStatus: 'pending',
      enroll: false,
      suggestions: [],
    });
  });

  test('is enrolled from the threshold of quality on; a threshold of 0 enrolls none', () => {
    const enrolled = (quality: number, autoEnrollThreshold: number) =>
      decide(face([[ANN, 0.9]], { quality }), { autoEnrollThreshold }).enroll;
    expect(enrolled(0.92, 0.92)).toBe(true);
    expect(enrolled(0.919, 0.92)).toBe(false);
    expect(enrolled(1, 0)).toBe(false);
    expect(enrolled(1, 1)).toBe(true);
  });

  test('under the ceiling stays pending and is not enrolled', () => {
    expect(decide(face([[ANN, 0.99]], { ceiling: 'pending' }))).toMatchObject({
      identityId: ANN,
      reviewStatus: 'pending',
      enroll: false,
    });
  });

  test('is the next best candidate if it was rejected from the best', () => {
    const rejected = new Set([ANN]);
    const candidates: [number, number][] = [
      [ANN, 0.9],
      [BOB, 0.6],
    ];
    expect(decide(face(candidates, { rejected }))).toMatchObject({
      identityId: BOB,
      similarity: 0.6,
      suggestions: [person(BOB, 0.6)],
    });
  });

  test('is not an identity that the image holds already, nor the next best candidate', () => {
    const candidates: [number, number][] = [
      [ANN, 0.9],
      [BOB, 0.85],
    ];
    expect(decide(face(candidates), { taken: new Set([ANN]) })).toEqual({
      identityId: null,
      similarity: 0.9,
      reviewStatus: 'pending',
      enroll: false,
      suggestions: [person(ANN, 0.9), person(BOB, 0.85)],
    });
  });

  test('has five suggestions at most, none below 0.2 or 0.2 below the threshold', () => {
    const seven = face([1, 2, 3, 4, 5, 6, 7].map((id) => [id, id / 10]));
    const ids = (matchThreshold: number) =>
      decide(seven, { matchThreshold }).suggestions.map(({ identityId }) => identityId);
    expect(ids(0.5)).toEqual([7, 6, 5, 4, 3]);
    expect(ids(0.85)).toEqual([7]);
    expect(ids(-1)).toEqual([7, 6, 5, 4, 3]);
    expect(decide(face([[ANN, 0.19]]), { matchThreshold: 0.1 }).suggestions).toEqual([]);
  });
});

describe('two faces of one person', () => {
  test('the more similar one is that person, the other is unknown', () => {
    const [first, second] = decideFaces(
      [
        face([
          [ANN, 0.7],
          [BOB, 0.65],
        ]),
        face([[ANN, 0.75]]),
      ],
      RULES,
    );
    expect(first).toMatchObject({
      identityId: null,
      reviewStatus: 'pending',
      suggestions: [person(ANN, 0.7), person(BOB, 0.65)],
    });
    expect(second).toMatchObject({ identityId: ANN });
  });

  test('equally similar, the first', () => {
    const decisions = decideFaces([face([[ANN, 0.7]]), face([[ANN, 0.7]])], RULES);
    expect(decisions.map(({ identityId }) => identityId)).toEqual([ANN, null]);
  });

  test('a face that is more similar to another person does not block the match', () => {
    const both = face([
      [ANN, 0.9],
      [BOB, 0.95],
    ]);
    const decisions = decideFaces([both, face([[ANN, 0.6]])], RULES);
    expect(decisions.map(({ identityId }) => identityId)).toEqual([BOB, ANN]);
  });
});

const threshold = fc.double({ min: -1, max: 1, noNaN: true });
const quality = fc.double({ min: 0, max: 1, noNaN: true });
const identityId = fc.integer({ min: 1, max: 8 });
const idSet = fc.uniqueArray(identityId, { maxLength: 3 }).map((ids) => new Set(ids));
const anyRules: fc.Arbitrary<ImageRules> = fc.record({
  matchThreshold: threshold,
  autoConfirmThreshold: threshold,
  autoEnrollThreshold: fc.oneof(fc.constant(0), quality),
  taken: idSet,
});
const anyFace: fc.Arbitrary<FaceToDecide> = fc.record({
  candidates: fc.uniqueArray(fc.record({ identityId, similarity: threshold }), {
    selector: (candidate) => candidate.identityId,
  }),
  rejected: idSet,
  quality,
  ceiling: fc.constantFrom('confirmed', 'pending'),
});
const anyFaces = fc.array(anyFace, { maxLength: 6 });

/** The candidates without the rejected ones, descending by similarity. */
function allowed({ candidates, rejected }: FaceToDecide) {
  return candidates
    .filter((candidate) => !rejected.has(candidate.identityId))
    .sort((a, b) => b.similarity - a.similarity || a.identityId - b.identityId);
}

function check(property: (faces: FaceToDecide[], rules: ImageRules) => void) {
  fc.assert(fc.property(anyFaces, anyRules, property), { numRuns: 500 });
}

describe('for all faces and thresholds', () => {
  test('an identity is the best candidate, reaches the threshold and is free', () => {
    check((faces, rules) => {
      for (const [i, decision] of decideFaces(faces, rules).entries()) {
        const best = allowed(faces[i]!)[0];
        expect(decision.similarity).toBe(best?.similarity ?? null);
        if (decision.identityId === null) continue;
        expect(decision.identityId).toBe(best!.identityId);
        expect(best!.similarity).toBeGreaterThanOrEqual(rules.matchThreshold);
        expect(rules.taken.has(decision.identityId)).toBe(false);
      }
    });
  });

  test('no identity is assigned twice', () => {
    check((faces, rules) => {
      const ids = decideFaces(faces, rules).flatMap((decision) => decision.identityId ?? []);
      expect(new Set(ids).size).toBe(ids.length);
    });
  });

  test('a face from the threshold on is unknown only if another has its best candidate', () => {
    check((faces, rules) => {
      const decisions = decideFaces(faces, rules);
      for (const [i, face] of faces.entries()) {
        const best = allowed(face)[0];
        if (best === undefined || best.similarity < rules.matchThreshold) continue;
        if (decisions[i]!.identityId !== null || rules.taken.has(best.identityId)) continue;
        const holder = decisions.findIndex((other) => other.identityId === best.identityId);
        expect(holder).not.toBe(-1);
        expect(decisions[holder]!.similarity!).toBeGreaterThanOrEqual(best.similarity);
      }
    });
  });

  test('an identity from which the face was rejected is neither assigned nor suggested', () => {
    check((faces, rules) => {
      for (const [i, decision] of decideFaces(faces, rules).entries()) {
        const { rejected } = faces[i]!;
        expect(rejected.has(decision.identityId ?? 0)).toBe(false);
        expect(decision.suggestions.filter((one) => rejected.has(one.identityId))).toEqual([]);
      }
    });
  });

  test('confirmed are just those assigned at or above the threshold where the ceiling allows', () => {
    check((faces, rules) => {
      for (const [i, decision] of decideFaces(faces, rules).entries()) {
        const confirmed =
          decision.identityId !== null &&
          decision.similarity! >= rules.autoConfirmThreshold &&
          faces[i]!.ceiling === 'confirmed';
        expect(decision.reviewStatus).toBe(confirmed ? 'confirmed' : 'pending');
        expect(decision.enroll).toBe(
          confirmed &&
            rules.autoEnrollThreshold !== 0 &&
            faces[i]!.quality >= rules.autoEnrollThreshold,
        );
      }
    });
  });

  test('suggestions are the best candidates above the floor', () => {
    check((faces, rules) => {
      const floor = Math.max(0.2, rules.matchThreshold - 0.2);
      for (const [i, { suggestions }] of decideFaces(faces, rules).entries()) {
        const near = allowed(faces[i]!).filter(({ similarity }) => similarity >= floor);
        expect(suggestions).toEqual(near.slice(0, 5));
      }
    });
  });

  test('the order of faces and candidates does not matter where no similarities are equal', () => {
    const distinct = anyFaces.filter((faces) => {
      const all = faces.flatMap(({ candidates }) => candidates.map((one) => one.similarity));
      return new Set(all).size === all.length;
    });
    const shuffled = distinct.chain((faces) =>
      fc.record({
        faces: fc.constant(faces),
        order: fc.shuffledSubarray([...faces.keys()], { minLength: faces.length }),
      }),
    );
    fc.assert(
      fc.property(shuffled, anyRules, ({ faces, order }, rules) => {
        const decisions = decideFaces(faces, rules);
        const reordered = order.map((i) => {
          const face = faces[i]!;
          return { ...face, candidates: face.candidates.toReversed() };
        });
        expect(decideFaces(reordered, rules)).toEqual(order.map((i) => decisions[i]));
      }),
      { numRuns: 500 },
    );
  });
});
