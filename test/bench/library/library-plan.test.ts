import { expect, test } from '@jest/globals';
import { normalizeLabel } from '@sightline/core/identities/label';
import { hasIdentity, NO_IDENTITY, planLibrary, type State, STATE } from './library-plan.ts';
import { className, personName } from './names.ts';

const SIZE = { images: 3000, detections: 10_000, identities: 1000, references: 3000 };

test('a plan is the same each time, and another with another seed', () => {
  expect(planLibrary(SIZE, 1)).toEqual(planLibrary(SIZE, 1));
  expect(planLibrary(SIZE, 1).identity).not.toEqual(planLibrary(SIZE, 2).identity);
});

test('a plan has what its size says, in images that follow each other', () => {
  const { persons, image, isEnrolled, identity } = planLibrary(SIZE, 1);
  expect(image).toHaveLength(10_000);
  expect(image.toSorted()).toEqual(image);
  expect(new Set(image).size).toBeLessThan(2800);
  const references = isEnrolled.reduce((total, one) => total + one, 0);
  expect(Math.abs(references - 3000)).toBeLessThan(200);
  const ofMost = identity.filter((one) => one === 0).length;
  expect(Math.abs(ofMost - 200)).toBeLessThan(80);
  expect(persons).toBe(920);
});

test('whoever is of an identity is of one of the right type, and others of nobody', () => {
  const { persons, state, identity, isEnrolled } = planLibrary(SIZE, 1);
  const wrong = [...state.keys()].filter((i) => {
    if (isEnrolled[i] === 1 && state[i] !== STATE.confirmed) return true;
    if (state[i] === STATE.object) return identity[i] !== NO_IDENTITY && identity[i]! < persons;
    if (!hasIdentity(state[i] as State)) return identity[i] !== NO_IDENTITY;
    return identity[i] === NO_IDENTITY || identity[i]! >= persons;
  });
  expect(wrong).toEqual([]);
});

test.each([
  { images: 0, detections: 0, identities: 500, references: 0 },
  { images: 3, detections: 6, identities: 3, references: 3 },
  { images: 1, detections: 1, identities: 0, references: 0 },
])('a small plan is one too: %p', (size) => {
  const { image, identity, persons } = planLibrary(size, 7);
  expect(image.every((one) => one < size.images)).toBe(true);
  expect(identity.every((one) => one < size.identities)).toBe(true);
  expect(persons).toBeLessThanOrEqual(size.identities);
});

test('names are labels, each another one', () => {
  const names = Array.from({ length: 20_000 }, (_, n) => personName(3, n));
  expect(new Set(names).size).toBe(20_000);
  expect(names.filter((name) => normalizeLabel(name) !== name)).toEqual([]);
  const classes = Array.from({ length: 80 }, (_, n) => className(n));
  expect(new Set(classes).size).toBe(80);
});
