import { faceOptions } from '../analysis/analysis-options.ts';
import { analyzeWhileAnswering } from '../analysis/analyze-while-answering.ts';
import { type AnalyzedFace, embedsFaces, type ImageAnalyzer } from '../analysis/image-analyzer.ts';
import { loadSettings } from '../database/load-settings.ts';
import type { NamedCandidate } from '../identities/candidate.ts';
import { NoActiveModel } from '../models/model-errors.ts';
import type { AuditEntry } from '../audit/audit-entry.ts';
import type { ReadAudit } from '../audit/read-audit.ts';
import type { ModelRegistry } from '../models/model-registry.ts';
import type { Scope } from '../store/scope.ts';
import { matchFaces, type MatchFacesDeps } from './match-faces.ts';

export interface IdentifyFacesDeps extends MatchFacesDeps {
  readonly analyzer: ImageAnalyzer;
  readonly models: ModelRegistry;
  readonly readAudit: Pick<ReadAudit, 'note'>;
}

export interface IdentifyRequest {
  readonly scope: Scope;
  /** The encoded file. Its buffer must not be used afterwards. */
  readonly image: Uint8Array;
  /** The minimum similarity of a match, -1..1. The default is the environment's setting. */
  readonly threshold?: number;
  /** The maximum number of suggestions per face. */
  readonly topN: number;
}

export interface IdentifiedFace {
  readonly face: AnalyzedFace;
  /** The best candidate; null unless it reaches the threshold. */
  readonly identity: { readonly id: number; readonly label: string } | null;
  /** The similarity of the best candidate, -1..1, even below the threshold; null without a candidate. */
  readonly similarity: number | null;
  /** The best candidates, most similar first, even below the threshold. */
  readonly suggestions: readonly NamedCandidate[];
}

export interface Identification {
  /** The faces in descending order of confidence. */
  readonly faces: readonly IdentifiedFace[];
  readonly threshold: number;
}

/**
 * Identifies the faces of an image without storing anything.
 *
 * @throws NoActiveModel; VectorsUnavailable, even if the image shows no face; StoreUnavailable; the errors of
 *   {@link ImageAnalyzer.analyze}
 */
export async function identifyFaces(
  deps: IdentifyFacesDeps,
  request: IdentifyRequest,
  signal?: AbortSignal,
): Promise<Identification> {
  const { scope, image, topN } = request;
  const settings = await loadSettings(deps.database, scope, signal);
  const threshold = request.threshold ?? settings.matchThreshold;
  // If the model computes no embeddings, no face can be identified, so the index is not required.
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
  const identified = faces.items.map((face, i) =>
    toIdentifiedFace(face, candidates[i]!, threshold),
  );
  if (settings.auditReads) deps.readAudit.note(scope, recognized('identify', identified));
  return { threshold, faces: identified };
}

/** The entry of faces that were compared with the people of the environment. */
export function recognized(
  action: 'identify' | 'test',
  faces: readonly Pick<IdentifiedFace, 'identity'>[],
): AuditEntry<'image'> {
  const identities = faces.flatMap(({ identity }) => identity?.id ?? []);
  const details = { faces: faces.length, identity_ids: identities };
  return { entity: 'image', action, ids: [], details };
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
