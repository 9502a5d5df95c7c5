import { addToSum, meanOf } from '@sightline/core/matching/identity-mean';
import type { MediaKind } from '@sightline/core/media/media-key';
import type { detections } from '@sightline/postgres/schema/detections';
import type { identities } from '@sightline/postgres/schema/identities';
import type {
  faceReferences,
  faceVectors,
  identityMeans,
  rejectedPairs,
  suggestions,
} from '@sightline/postgres/schema/matching';
import type { sourceImages } from '@sightline/postgres/schema/source-images';
import { toBytes } from '@sightline/postgres/stores/references/vector-bytes';
import type { RowOf } from './copy-rows.ts';
import { type LibraryPlan, NO_IDENTITY, STATE } from './library-plan.ts';
import { className, personName } from './names.ts';
import { seedOf, seededRandom } from './seeded-random.ts';

/** An environment to fill. Its rows get consecutive ids, beginning with `first`. */
export interface PlannedEnvironment {
  readonly environmentId: number;
  readonly plan: LibraryPlan;
  readonly seed: number;
  readonly modelId: number;
  /** The length of the model's vectors. */
  readonly dimension: number;
  readonly first: FirstIds;
}

export interface FirstIds {
  readonly image: number;
  readonly detection: number;
  readonly identity: number;
  readonly reference: number;
}

/** The parts of the rows, each with random numbers of its own. */
const PART = { image: 1, detection: 2, identity: 3, person: 4, face: 5, suggestion: 6 } as const;

const FIRST_UPLOAD = Date.UTC(2017, 0, 1);
const LAST_UPLOAD = Date.UTC(2026, 9, 1);
/** The share of photos that were uploaded years after their neighbors, for example from an old disk. */
const LATE = 0.05;

const [WIDTH, HEIGHT] = [4000, 3000];
/** The distance of a face from the usual face of its person. */
const NOISE = 0.25;
const MAX_SUGGESTIONS = 5;

export function* imageRows(env: PlannedEnvironment): Iterable<RowOf<typeof sourceImages>> {
  const { environmentId, plan, seed, first } = env;
  for (let i = 0; i < plan.size.images; i++) {
    const random = seededRandom(seedOf(seed + PART.image, i));
    const digest = hexOf(random, 64);
    const kind = random();
    yield {
      environmentId,
      id: first.image + i,
      digest,
      sizeBytes: 1_000_000 + Math.floor(random() * 5_000_000),
      format: 'jpeg',
      width: WIDTH,
      height: HEIGHT,
      storedWidth: 1920,
      storedHeight: 1440,
      mediaKey: mediaKeyOf(environmentId, 'sources', random),
      mediaBytes: 200_000 + Math.floor(random() * 400_000),
      originalKey: null,
      externalRef: kind < 0.6 ? `photo-${i}` : kind < 0.65 ? `album-${i % 50}` : null,
      uploadedAt: uploadedAt(env, i),
    };
  }
}

export function* identityRows(env: PlannedEnvironment): Iterable<RowOf<typeof identities>> {
  const { environmentId, plan, seed, first } = env;
  const covers = coversOf(env);
  for (let i = 0; i < plan.size.identities; i++) {
    const random = seededRandom(seedOf(seed + PART.identity, i));
    const isPerson = i < plan.persons;
    const cover = covers[i]!;
    yield {
      environmentId,
      id: first.identity + i,
      type: isPerson ? 'face' : 'object',
      label: isPerson ? personName(seed + PART.person, i) : className(i - plan.persons),
      externalRef: random() < 0.4 ? `contact-${i}` : null,
      coverDetectionId: cover === NO_IDENTITY || random() >= 0.05 ? null : first.detection + cover,
      createdAt: new Date(FIRST_UPLOAD + i * 1000),
    };
  }
}

export function* detectionRows(env: PlannedEnvironment): Iterable<RowOf<typeof detections>> {
  for (let i = 0; i < env.plan.size.detections; i++) yield detectionRow(env, i);
}

function detectionRow(env: PlannedEnvironment, i: number): RowOf<typeof detections> {
  const { environmentId, plan, seed, first } = env;
  const random = seededRandom(seedOf(seed + PART.detection, i));
  const state = plan.state[i]!;
  const identity = plan.identity[i]!;
  const isManual = plan.isManual[i] === 1;
  const isHuman = isManual || state === STATE.rejected || random() < 0.3;
  const detectedAt = new Date(uploadedAt(env, plan.image[i]!).getTime() + 400);
  const score = 0.5 + 0.5 * Math.sqrt(random());
  // Some detectors round their scores, so many scores are equal.
  const confidence = random() < 0.3 ? Math.round(score * 100) / 100 : score;
  return {
    environmentId,
    id: first.detection + i,
    sourceImageId: first.image + plan.image[i]!,
    bboxX: Math.floor(random() * (WIDTH - 400)),
    bboxY: Math.floor(random() * (HEIGHT - 400)),
    bboxW: 40 + random() * 360,
    bboxH: 40 + random() * 360,
    confidence: isManual ? 1 : confidence,
    identityId: identity === NO_IDENTITY ? null : first.identity + identity,
    reviewStatus: statusOf(state, identity),
    decidedBy: isHuman ? 'human' : 'automatic',
    isManual,
    cropKey: mediaKeyOf(environmentId, 'crops', random),
    cropBytes: 5_000 + Math.floor(random() * 20_000),
    dismissedAt: isDismissed(state) ? detectedAt : null,
    mismatchReviewed: state === STATE.confirmed && random() < 0.01,
    detectedAt,
    ...(state === STATE.object
      ? objectMembers(plan, i)
      : faceMembers(plan, i, { random, quality: score })),
  };
}

type TypeMembers = Pick<
  RowOf<typeof detections>,
  | 'type'
  | 'quality'
  | 'similarity'
  | 'classId'
  | 'className'
  | 'embeddingSource'
  | 'age'
  | 'gender'
  | 'pose'
>;

function objectMembers({ isManual, identity, persons }: LibraryPlan, i: number): TypeMembers {
  const classId = isManual[i] === 1 ? null : identity[i]! - persons;
  return {
    type: 'object',
    quality: null,
    similarity: null,
    classId,
    className: classId === null ? null : className(classId),
    embeddingSource: null,
    age: null,
    gender: null,
    pose: null,
  };
}

function faceMembers(
  { isManual, identity }: LibraryPlan,
  i: number,
  { random, quality }: { readonly random: () => number; readonly quality: number },
): TypeMembers {
  const isMatched = identity[i] !== NO_IDENTITY && isManual[i] === 0;
  return {
    type: 'face',
    quality,
    similarity: isMatched ? 0.5 + 0.5 * random() : null,
    classId: null,
    className: null,
    embeddingSource: isManual[i] === 1 ? 'box' : 'aligned',
    age: Math.floor(random() * 90),
    gender: random() < 0.5 ? 'F' : 'M',
    pose: [random() * 60 - 30, random() * 90 - 45, random() * 20 - 10],
  };
}

export function* vectorRows(env: PlannedEnvironment): Iterable<RowOf<typeof faceVectors>> {
  const { environmentId, modelId, plan, first } = env;
  const createdAt = new Date(FIRST_UPLOAD);
  for (let i = 0; i < plan.size.detections; i++) {
    if (plan.state[i] === STATE.object) continue;
    const vector = toBytes(vectorOf(env, i));
    yield { environmentId, detectionId: first.detection + i, modelId, vector, createdAt };
  }
}

export function* referenceRows(env: PlannedEnvironment): Iterable<RowOf<typeof faceReferences>> {
  const { environmentId, modelId, plan, first } = env;
  let id = first.reference;
  for (let i = 0; i < plan.size.detections; i++) {
    if (plan.isEnrolled[i] === 0) continue;
    yield {
      environmentId,
      id: id++,
      identityId: first.identity + plan.identity[i]!,
      detectionId: first.detection + i,
      modelId,
      createdAt: new Date(uploadedAt(env, plan.image[i]!).getTime() + 60_000),
    };
  }
}

export function* meanRows(env: PlannedEnvironment): Iterable<RowOf<typeof identityMeans>> {
  const { environmentId, modelId, dimension, plan, first } = env;
  const sums = new Map<number, { readonly values: Float64Array; count: number }>();
  for (let i = 0; i < plan.size.detections; i++) {
    if (plan.isEnrolled[i] === 0) continue;
    const identity = plan.identity[i]!;
    const sum = sums.get(identity) ?? { values: new Float64Array(dimension), count: 0 };
    addToSum(sum.values, vectorOf(env, i));
    sum.count++;
    sums.set(identity, sum);
  }
  for (const [identity, { values, count }] of sums) {
    const mean = meanOf(values, count);
    yield {
      environmentId,
      identityId: first.identity + identity,
      modelId,
      referenceCount: count,
      sum: toBytes(values),
      mean: mean && toBytes(mean),
    };
  }
}

/** The suggestions of faces: most open faces have some, and decided faces may keep theirs. */
export function* suggestionRows(env: PlannedEnvironment): Iterable<RowOf<typeof suggestions>> {
  const { environmentId, modelId, plan, first } = env;
  for (let i = 0; i < plan.size.detections; i++) {
    const random = seededRandom(seedOf(env.seed + PART.suggestion, i));
    if (plan.state[i] === STATE.object || random() >= suggestedShare(plan.state[i]!)) continue;
    const identity = plan.identity[i]!;
    const others = Array.from({ length: Math.ceil(random() * MAX_SUGGESTIONS) }, () =>
      Math.floor(random() * plan.persons),
    );
    const suggested = new Set(identity === NO_IDENTITY ? others : [identity, ...others]);
    let similarity = 0.3 + 0.6 * random();
    for (const one of [...suggested].slice(0, MAX_SUGGESTIONS)) {
      const detectionId = first.detection + i;
      yield { environmentId, detectionId, modelId, identityId: first.identity + one, similarity };
      similarity -= 0.1 * random();
    }
  }
}

/** The rejected pair of every rejected face, and of some faces that now have another identity or none. */
export function* rejectionRows(env: PlannedEnvironment): Iterable<RowOf<typeof rejectedPairs>> {
  const { environmentId, plan, first } = env;
  for (let i = 0; i < plan.size.detections; i++) {
    if (plan.state[i] === STATE.object) continue;
    const random = seededRandom(seedOf(env.seed + PART.suggestion, i));
    const chance = random();
    if (plan.state[i] !== STATE.rejected && chance >= 0.03) continue;
    const identity = Math.floor(seededRandom(seedOf(env.seed + PART.face, i))() * plan.persons);
    if (identity === plan.identity[i]) continue;
    const rejectedAt = new Date(uploadedAt(env, plan.image[i]!).getTime() + 120_000);
    const [detectionId, identityId] = [first.detection + i, first.identity + identity];
    yield { environmentId, detectionId, identityId, rejectedAt };
  }
}

function suggestedShare(state: number): number {
  switch (state) {
    case STATE.pendingOfIdentity:
      return 1;
    case STATE.pendingWithoutIdentity:
    case STATE.dismissedWithoutIdentity:
      return 0.8;
    case STATE.rejected:
      return 0.5;
    default:
      return 0.1;
  }
}

/** The possible cover of each identity: one of its confirmed detections, or nothing. */
function coversOf({ plan }: PlannedEnvironment): Int32Array {
  const covers = new Int32Array(plan.size.identities).fill(NO_IDENTITY);
  for (let i = 0; i < plan.size.detections; i++) {
    if (plan.state[i] === STATE.confirmed) covers[plan.identity[i]!] = i;
  }
  return covers;
}

function statusOf(state: number, identity: number): 'pending' | 'confirmed' | 'rejected' {
  if (state === STATE.rejected) return 'rejected';
  if (state === STATE.confirmed) return 'confirmed';
  return state === STATE.object && identity !== NO_IDENTITY ? 'confirmed' : 'pending';
}

function isDismissed(state: number): boolean {
  return state === STATE.dismissedOfIdentity || state === STATE.dismissedWithoutIdentity;
}

/** The upload time grows with the index of the image, except for a few. */
function uploadedAt({ plan, seed }: PlannedEnvironment, image: number): Date {
  const random = seededRandom(seedOf(seed, image));
  const at = random() < LATE ? random() : image / plan.size.images;
  return new Date(Math.floor(FIRST_UPLOAD + at * (LAST_UPLOAD - FIRST_UPLOAD)));
}

/** A vector near that of its person; a random one for a face without an identity. */
function vectorOf({ plan, seed, dimension, first }: PlannedEnvironment, i: number): Float32Array {
  const identity = plan.identity[i]!;
  const own = seededRandom(seedOf(seed + PART.face, first.detection + i));
  const vector = new Float32Array(dimension);
  if (identity === NO_IDENTITY) {
    for (let k = 0; k < dimension; k++) vector[k] = own() - 0.5;
  } else {
    const person = seededRandom(seedOf(seed + PART.person, identity));
    for (let k = 0; k < dimension; k++) vector[k] = person() - 0.5 + NOISE * (own() - 0.5);
  }
  const length = Math.hypot(...vector);
  for (let k = 0; k < dimension; k++) vector[k]! /= length;
  return vector;
}

/** A media key in the form of core's `mediaKey`, but reproducible. */
function mediaKeyOf(environmentId: number, kind: MediaKind, random: () => number): string {
  const digest = hexOf(random, 64);
  return `${environmentId}/${kind}/${digest.slice(0, 2)}/${digest}-${hexOf(random, 32)}.jpg`;
}

/** The hexadecimal digits of each 16-bit number. */
const HEX = Array.from({ length: 1 << 16 }, (_, value) => value.toString(16).padStart(4, '0'));

function hexOf(random: () => number, length: number): string {
  let hex = '';
  while (hex.length < length) {
    const value = Math.floor(random() * 2 ** 32);
    hex += HEX[value >>> 16]! + HEX[value & 0xffff]!;
  }
  return hex;
}
