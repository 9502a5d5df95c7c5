import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import type { AnalyzedFace, AnalyzedObject } from '@sightline/core/analysis/image-analyzer';
import {
  detectImage,
  type DetectImageDeps,
  type DetectRequest,
} from '@sightline/core/recognition/detect-image';
import type { DetectResult } from '@sightline/core/recognition/detect-result';
import { checkConsistency } from '@sightline/core/maintenance/check-consistency';
import { TailCache } from '@sightline/core/matching/tail-cache';
import type { ActiveModel } from '@sightline/core/models/model';
import { ModelRegistry } from '@sightline/core/models/model-registry';
import {
  type EnrolledFace,
  enrollFace,
  type EnrollFaceRequest,
} from '@sightline/core/recognition/enroll-face';
import { analyzedFace, FakeAnalyzer } from '@sightline/core/testing/fake-analyzer';
import { indexChanges } from '@sightline/core/vectors/index-changes';
import type { VectorIndex } from '@sightline/core/vectors/vector-index';
import { VectorsUnavailable } from '@sightline/core/vectors/vectors-unavailable';
import { EmbeddedVectorIndex } from '@sightline/vectors-embedded/embedded-vector-index';
import { direction, type SeededEnvironment } from './seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from './store-fixture.ts';

/** What a photo shows, by its bytes as text. */
export type Scenes = Map<
  string,
  { readonly faces?: readonly AnalyzedFace[]; readonly objects?: readonly AnalyzedObject[] }
>;

/** Everything that recognises and remembers, but for inference, which shows what the scenes say. */
export interface RecognitionFixture extends AsyncDisposable {
  readonly store: StoreFixture;
  readonly analyzer: FakeAnalyzer;
  readonly scenes: Scenes;
  readonly index: EmbeddedVectorIndex;
  /** The same stores behind a registry and caches of their own, as another process has them. */
  process(changes?: Partial<DetectImageDeps>): DetectImageDeps;
  /** Brings the index up to date. */
  catchUp(): Promise<void>;
  /** What contradicts what, in rows, files and index; the first few. */
  findings(): Promise<readonly string[]>;
}

export async function openRecognition(): Promise<RecognitionFixture> {
  const resources = new AsyncDisposableStack();
  const store = resources.use(await openStoreFixture());
  const index = resources.use(new EmbeddedVectorIndex());
  await (await index.begin()).publish();
  const analyzer = new FakeAnalyzer();
  await activate(store, analyzer.models);
  const scenes: Scenes = new Map();
  analyzer.facesOf = (text) => scenes.get(text)?.faces ?? [];
  analyzer.objectsOf = (text) => scenes.get(text)?.objects ?? [];
  const catchUp = async () => {
    while (await indexChanges({ ...store, index }));
  };
  return {
    store,
    analyzer,
    scenes,
    index,
    process: (changes = {}) => ({
      database: store.database,
      media: store.media,
      vectors: index,
      analyzer,
      models: new ModelRegistry(store.models),
      tails: new TailCache(),
      ...changes,
    }),
    catchUp,
    findings: async () => {
      await catchUp();
      const { maintenance, media, source, changeLog } = store;
      const found = await checkConsistency(
        { maintenance, media, vectors: { source, changeLog, index } },
        { deep: true, orphansBefore: new Date(Date.now() + 60_000) },
      );
      return found.slice(0, 5);
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** Makes these the models whose answers count. */
export async function activate(
  { models: store }: Pick<StoreFixture, 'models'>,
  models: readonly ActiveModel[],
): Promise<void> {
  for (const { task, id } of await store.register(models)) await store.activate(task, id);
}

/** A face that looks into a direction of its own, in degrees; similarity is the cosine between two. */
export function faceAt(degrees: number, changes: Partial<AnalyzedFace> = {}): AnalyzedFace {
  return analyzedFace({ embedding: direction(degrees), quality: 0.95, ...changes });
}

/** A box beside those of other places. */
export function place(index: number, size = 20): AnalyzedFace['bbox'] {
  return { x: index * 100, y: 10, w: size, h: size };
}

export const photo = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The index as it is while nothing can be found in it. */
export function lost(index: VectorIndex): VectorIndex {
  return new Proxy(index, {
    get: (target, key) =>
      key === 'searchIdentities' || key === 'requireAnswer'
        ? () => Promise.reject(new VectorsUnavailable('The index is down.'))
        : (Reflect.get(target, key) as unknown),
  });
}

/** Lets one process look at photos of one environment. */
export function visitor(deps: DetectImageDeps, home: SeededEnvironment) {
  const { scope } = home;
  return {
    detect: (
      text: string,
      changes: Partial<Omit<DetectRequest, 'scope' | 'image'>> = {},
    ): Promise<DetectResult> =>
      detectImage(deps, { scope, image: photo(text), types: 'faces', replace: false, ...changes }),
    enroll: (
      text: string,
      label: string,
      changes: Partial<Omit<EnrollFaceRequest, 'scope' | 'image'>> = {},
    ): Promise<EnrolledFace> =>
      enrollFace(deps, { scope, image: photo(text), target: { label }, ...changes }),
  };
}

export interface RecognitionTurn {
  readonly fixture: RecognitionFixture;
  /** New for every test. */
  readonly home: SeededEnvironment;
  readonly guest: ReturnType<typeof visitor>;
}

/**
 * Sets up the stores once for the tests of a file, and an environment for each of them. After each,
 * rows, files and index must agree.
 */
export function aroundRecognition(use: (turn: RecognitionTurn) => void): void {
  let fixture: RecognitionFixture;

  beforeAll(async () => {
    fixture = await openRecognition();
  });

  beforeEach(async () => {
    const home = await fixture.store.environment();
    fixture.scenes.clear();
    use({ fixture, home, guest: visitor(fixture.process(), home) });
  });

  afterEach(async () => {
    expect(await fixture.findings()).toEqual([]);
  });

  afterAll(async () => {
    await fixture[Symbol.asyncDispose]();
  });
}

/** Of the detections of a run. */
export function idsOf({ faces }: DetectResult): number[] {
  return faces.map(({ detection }) => detection.id);
}
