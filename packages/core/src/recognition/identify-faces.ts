import { faceOptions } from '../analysis/analysis-options.ts';
import { analyzeWhileAnswering } from '../analysis/analyze-while-answering.ts';
import { type AnalyzedFace, embedsFaces, type ImageAnalyzer } from '../analysis/image-analyzer.ts';
import { loadSettings } from '../database/load-settings.ts';
import type { NamedCandidate } from '../identities/candidate.ts';
import { NoActiveModel } from '../models/model-errors.ts';
import type { ModelRegistry } from '../models/model-registry.ts';
import type { Scope } from '../store/scope.ts';
import { matchFaces, type MatchFacesDeps } from './match-faces.ts';

export interface IdentifyFacesDeps extends MatchFacesDeps {
  readonly analyzer: ImageAnalyzer;
  readonly models: ModelRegistry;
}

export interface IdentifyRequest {
  readonly scope: Scope;
  /** The encoded file; the analyzer takes its buffer. */
  readonly image: Uint8Array;
  /** The least similarity of a match, -1..1; absent: the environment's setting. */
  readonly threshold?: number;
  /** The maximum number of suggestions per face. */
  readonly topN: number;
}

export interface IdentifiedFace {
  readonly face: AnalyzedFace;
  /** The best candidate, if it reaches the threshold. */
  readonly identity: { readonly id: number; readonly label: string } | null;
  /**
   * The similarity of the best candidate, whatever the threshold, -1..1; null: no one is enrolled.
   */
  readonly similarity: number | null;
  /** The best identities at any similarity, most similar first. */
  readonly suggestions: readonly NamedCandidate[];
}

export interface Identification {
  /** In descending order of confidence. */
  readonly faces: readonly IdentifiedFace[];
  readonly threshold: number;
}

/**
 * Identifies the faces of an image and stores nothing.
 *
 * @throws NoActiveModel; VectorsUnavailable, even if the image shows no face;
 *   StoreUnavailable; the errors of {@link ImageAnalyzer.analyze}
 */
export async function identifyFaces(
  deps: IdentifyFacesDeps,
  request: IdentifyRequest,
  signal?: AbortSignal,
): Promise<Identification> {
  const { scope, image, topN } = request;
  const settings = await loadSettings(deps.database, scope, signal);
  const threshold = request.threshold ?? settings.matchThreshold;
  // Without embeddings no face can be identified, and the index is not required.
  const stores = embedsFaces(await deps.analyzer.status(signal)) ? [deps.vectors] : [];
  const { faces } = await analyzeWhileAnswering(
    { analyzer: deps.analyzer, stores },
    { image, faces: faceOptions(settings) },
    signal,
  );
  if (faces === null) throw new NoActiveModel('No face model is active.');
  const model = await deps.models.ofVectors(faces.model);
  const candidates = await matchFaces(
    deps,
    { scope, model, strategy: settings.matchStrategy, faces: faces.items, limit: topN },
    signal,
  );
  return {
    threshold,
    faces: faces.items.map((face, i) => toIdentifiedFace(face, candidates[i]!, threshold)),
  };
}

/** @param suggestions most similar first */
export function toIdentifiedFace(
  face: AnalyzedFace,
  suggestions: readonly NamedCandidate[],
  threshold: number,
): IdentifiedFace {
  const [best] = suggestions;
  const identity =
    best !== undefined && best.similarity >= threshold
      ? { id: best.identityId, label: best.label }
      : null;
  return { face, identity, similarity: best?.similarity ?? null, suggestions };
}
