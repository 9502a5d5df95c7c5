import { faceOptions, objectOptions } from '../analysis/analysis-options.ts';
import { analyzeWhileAnswering } from '../analysis/analyze-while-answering.ts';
import {
  type AnalyzedObject,
  embedsFaces,
  type ImageAnalysis,
} from '../analysis/image-analyzer.ts';
import { loadSettings } from '../database/load-settings.ts';
import type { DetectionTypes } from '../detection-type.ts';
import type { EffectiveSettings } from '../settings/effective-settings.ts';
import type { Scope } from '../store/scope.ts';
import { activeTasks } from './run/find-engines.ts';
import {
  type IdentifiedFace,
  type IdentifyFacesDeps,
  recognized,
  toIdentifiedFace,
} from './identify-faces.ts';
import { matchFaces } from './match-faces.ts';

export interface ImageTest {
  /** Null if faces were not requested, or no face model is active. */
  readonly faces: readonly TestedFace[] | null;
  readonly objects: readonly AnalyzedObject[] | null;
  /** Whether each task has an active model, even if the task was not requested. */
  readonly available: { readonly faces: boolean; readonly objects: boolean };
}

export type TestedFace = Omit<IdentifiedFace, 'suggestions'>;

/**
 * Detects faces and objects in an image and identifies the faces, without storing anything. Tasks without an active
 * model are skipped.
 *
 * @throws VectorsUnavailable, even if the image shows no face; StoreUnavailable; the errors of ImageAnalyzer.analyze
 */
export async function testImage(
  deps: IdentifyFacesDeps,
  input: {
    readonly scope: Scope;
    /** The encoded file. Its buffer must not be used afterwards. */
    readonly image: Uint8Array;
    readonly types: DetectionTypes;
  },
  signal?: AbortSignal,
): Promise<ImageTest> {
  const { scope, image, types } = input;
  const status = await deps.analyzer.status(signal);
  const settings = await loadSettings(deps.database, scope, signal);
  const matches = types !== 'objects' && embedsFaces(status);
  const { faces, objects } = await analyzeWhileAnswering(
    { analyzer: deps.analyzer, stores: matches ? [deps.vectors] : [] },
    {
      image,
      ...(types !== 'objects' && { faces: faceOptions(settings) }),
      ...(types !== 'faces' && { objects: objectOptions(settings) }),
    },
    signal,
  );
  const tested = faces && (await identify(deps, { scope, settings, faces }, signal));
  if (settings.auditReads) deps.readAudit.note(scope, recognized('test', tested ?? []));
  return {
    faces: tested,
    objects: objects?.items ?? null,
    available: activeTasks(status),
  };
}

async function identify(
  deps: IdentifyFacesDeps,
  found: {
    readonly scope: Scope;
    readonly settings: EffectiveSettings;
    readonly faces: NonNullable<ImageAnalysis['faces']>;
  },
  signal?: AbortSignal,
): Promise<readonly TestedFace[]> {
  const { scope, settings, faces } = found;
  const model = await deps.models.ofVectors(faces.model);
  const candidates = await matchFaces(
    deps,
    { scope, model, strategy: settings.matchStrategy, faces: faces.items, limit: 1 },
    signal,
  );
  return faces.items.map((face, i) => {
    const { identity, similarity } = toIdentifiedFace(
      face,
      candidates[i]!,
      settings.matchThreshold,
    );
    return { face, identity, similarity };
  });
}
