import { seededRandom } from './seeded-random.ts';

/** The number of rows in an environment. */
export interface LibrarySize {
  readonly images: number;
  readonly detections: number;
  /** Persons and classes of objects. */
  readonly identities: number;
  /** Approximately. */
  readonly references: number;
}

/** The state that people have left a detection in. */
export const STATE = {
  /** An object has an identity, unless a person drew its box without a label. */
  object: 0,
  confirmed: 1,
  pendingOfIdentity: 2,
  pendingWithoutIdentity: 3,
  rejected: 4,
  dismissedOfIdentity: 5,
  dismissedWithoutIdentity: 6,
} as const;

export type State = (typeof STATE)[keyof typeof STATE];

/** The shares of the detections by state; the remaining ones are confirmed. */
const SHARES: readonly (readonly [state: State, share: number])[] = [
  [STATE.object, 0.15],
  [STATE.pendingOfIdentity, 0.04],
  [STATE.pendingWithoutIdentity, 0.06],
  [STATE.rejected, 0.02],
  [STATE.dismissedOfIdentity, 0.02],
  [STATE.dismissedWithoutIdentity, 0.06],
];
const CONFIRMED_SHARE = 1 - SHARES.reduce((total, [, share]) => total + share, 0);

/** The share of all detections that belong to the most frequent person, and to each of the next ten. */
const MOST_SHARE = 0.02;
const MANY_SHARE = 0.001;
const MANY = 10;

const EMPTY_IMAGES = 0.1;
const CROWDS = 0.001;
const CROWD = 60;
const MANUAL = 0.01;
const UNLABELED_OBJECTS = 0.01;

/** The index that stands for no identity. */
export const NO_IDENTITY = -1;

/**
 * The rows of an environment, by index. The detections of an image are consecutive. Persons precede classes
 * of objects, and frequent identities precede rare ones.
 */
export interface LibraryPlan {
  readonly size: LibrarySize;
  readonly persons: number;
  /** The image of each detection. */
  readonly image: Int32Array;
  readonly state: Uint8Array;
  readonly identity: Int32Array;
  readonly isManual: Uint8Array;
  readonly isEnrolled: Uint8Array;
}

/** Plans a library. The same size and seed always give the same plan. */
export function planLibrary(size: LibrarySize, seed: number): LibraryPlan {
  const random = seededRandom(seed);
  const persons = size.identities - classesOf(size.identities);
  const image = distribute(size, random);
  const state = new Uint8Array(size.detections);
  const identity = new Int32Array(size.detections).fill(NO_IDENTITY);
  const isManual = new Uint8Array(size.detections);
  const isEnrolled = new Uint8Array(size.detections);
  const enrolled = size.references / (CONFIRMED_SHARE * size.detections);
  const person = personsOf(size, persons, random);
  for (let i = 0; i < size.detections; i++) {
    state[i] = drawState(random(), persons);
    isManual[i] = Number(random() < MANUAL);
    if (state[i] === STATE.object) {
      if (random() >= UNLABELED_OBJECTS)
        identity[i] = drawClass(size.identities, persons, random());
    } else if (hasIdentity(state[i] as State)) {
      identity[i] = person();
      isEnrolled[i] = Number(state[i] === STATE.confirmed && random() < enrolled);
    }
    // Only a person draws an object without a label.
    if (state[i] === STATE.object && identity[i] === NO_IDENTITY) isManual[i] = 1;
    if (state[i] !== STATE.confirmed && state[i] !== STATE.object) isManual[i] = 0;
  }
  return { size, persons, image, state, identity, isManual, isEnrolled };
}

export function hasIdentity(state: State): boolean {
  return (
    state === STATE.confirmed ||
    state === STATE.pendingOfIdentity ||
    state === STATE.dismissedOfIdentity
  );
}

function classesOf(identities: number): number {
  return identities < 2 ? 0 : Math.min(80, Math.ceil(identities / 10));
}

function drawState(at: number, persons: number): State {
  if (persons === 0) return STATE.pendingWithoutIdentity;
  let from = 0;
  for (const [state, share] of SHARES) {
    from += share;
    if (at < from) return state;
  }
  return STATE.confirmed;
}

/** Draws a class of objects: most objects belong to a few classes. */
function drawClass(identities: number, persons: number, at: number): number {
  return identities === persons
    ? NO_IDENTITY
    : persons + Math.floor((identities - persons) * at ** 3);
}

/** Draws persons: the first most often, the next ten often, and the others less often the higher their index. */
function personsOf(
  { detections }: LibrarySize,
  persons: number,
  random: () => number,
): () => number {
  const few = persons - 1 - MANY;
  return () => {
    const at = random();
    if (few <= 0) return Math.floor(at * persons);
    const most = MOST_SHARE / CONFIRMED_SHARE;
    const many = (MANY * MANY_SHARE) / CONFIRMED_SHARE;
    if (detections > MANY * MANY && at < most) return 0;
    if (detections > MANY * MANY && at < most + many) {
      return 1 + Math.floor((MANY * (at - most)) / many);
    }
    return 1 + MANY + Math.floor(few * random() ** 2);
  };
}

/** Chooses the image of each detection: a tenth of the images get none, and a few are crowds. */
function distribute({ images, detections }: LibrarySize, random: () => number): Int32Array {
  const counts = new Int32Array(images);
  let left = detections;
  const mean = detections / (images * (1 - EMPTY_IMAGES));
  for (let i = 0; i < images && left > 0; i++) {
    if (random() < EMPTY_IMAGES) continue;
    const wanted =
      random() < CROWDS ? CROWD : 1 + Math.floor(-Math.log(1 - random()) * Math.max(0, mean - 0.6));
    counts[i] = Math.min(wanted, left);
    left -= counts[i]!;
  }
  for (; left > 0; left--) counts[Math.floor(random() * images)]!++;
  const image = new Int32Array(detections);
  let next = 0;
  counts.forEach((count, i) => {
    image.fill(i, next, next + count);
    next += count;
  });
  return image;
}
