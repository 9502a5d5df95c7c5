import {
  type AnalyzerStatus,
  embedsFaces,
  type ImageAnalyzer,
} from '../analysis/image-analyzer.ts';
import type { Database, Settle } from '../database/database.ts';
import { normalizeLabel } from '../identities/label.ts';
import { MAX_SUGGESTIONS } from '../matching/decide-face.ts';
import { proposeIdentities, type MatchingDeps } from '../matching/propose-identities.ts';
import type { Proposals } from '../matching/read-gallery.ts';
import { digestOf } from '../media/digest-of.ts';
import { NoActiveModel } from '../models/model-errors.ts';
import type { ModelRegistry } from '../models/model-registry.ts';
import type { Scope } from '../store/scope.ts';
import type { ImageResult } from './result/image-result.ts';
import { analyzeImage, type AnalyzedRun } from './run/analyze-image.ts';
import { facesToCompare } from './run/image-run.ts';
import { hiddenReferences, type StoredImage } from './state/image-state.ts';
import { readBeforeRun } from './state/read-stored-image.ts';
import { storeImage, type StoreImageDeps } from './store-image.ts';
import type { DetectionTypes } from './test-image.ts';

export interface DetectImageDeps extends StoreImageDeps, MatchingDeps {
  readonly database: Database;
  readonly analyzer: ImageAnalyzer;
  readonly models: ModelRegistry;
}

export interface DetectRequest {
  readonly scope: Scope;
  /** The encoded file; the analyzer takes it. */
  readonly image: Uint8Array;
  readonly types: DetectionTypes;
  /** Of the source image; absent: keep the stored one. */
  readonly externalRef?: string;
  /** Remove the stored detections of these types, instead of comparing them with the findings. */
  readonly replace: boolean;
  /** Who the most certain face is. */
  readonly label?: string;
}

/**
 * Finds faces and objects in an image and stores them; faces become the identities that they match.
 * If the image is already stored, a finding that overlaps a stored detection is that detection.
 *
 * @throws InvalidLabel; NoActiveModel if no model is active for the requested types; the errors of
 *   {@link ImageAnalyzer.analyze}; VectorsUnavailable if faces have to be matched and cannot be, even
 *   if the image shows none; StoreUnavailable. Nothing is stored then.
 */
export async function detectImage(
  deps: DetectImageDeps,
  request: DetectRequest,
  options: { readonly signal?: AbortSignal; readonly settle?: Settle<ImageResult> } = {},
): Promise<ImageResult> {
  const { scope, image, label, replace, externalRef = null } = request;
  const { signal, settle } = options;
  const named = label === undefined ? null : { label: normalizeLabel(label), externalRef: null };
  const status = await deps.analyzer.status(signal);
  const find = enginesFor(status, request);
  const digest = digestOf(image);
  const { settings, stored } = await readBeforeRun(deps.database, { scope, digest }, signal);
  // The named face is not compared, and there may be no other: the index is not required then.
  const matches = find.faces && named === null && embedsFaces(status);
  const needs = matches ? [deps.media, deps.vectors] : [deps.media];
  const wanted = { scope, settings, digest, replace, externalRef, named };
  const analyzed = await analyzeImage(deps, { ...wanted, image, find, needs }, signal);
  requireModels(analyzed, request);
  const proposals = await proposeForRun(deps, { run: analyzed, stored }, signal);
  return storeImage(
    deps,
    { run: { ...analyzed, proposals }, stored },
    {
      ...(signal && { signal }),
      finish: async (tx, _, result) => {
        await settle?.(tx, result);
        return result;
      },
    },
  );
}

/** @throws NoActiveModel */
function enginesFor(
  { models }: AnalyzerStatus,
  { types, label }: DetectRequest,
): { readonly faces: boolean; readonly objects: boolean } {
  const hasFaces = models.some(({ task }) => task === 'face');
  const hasObjects = models.some(({ task }) => task !== 'face');
  const needsFaces = types === 'faces' || label !== undefined;
  if (needsFaces && !hasFaces) throw new NoActiveModel('No face model is active.');
  if (types === 'objects' && !hasObjects) throw new NoActiveModel('No object model is active.');
  if (!hasFaces && !hasObjects) throw new NoActiveModel('No model is active.');
  return { faces: types !== 'objects' && hasFaces, objects: types !== 'faces' && hasObjects };
}

/**
 * A model may have been unloaded since the analyzer reported its status.
 *
 * @throws NoActiveModel
 */
function requireModels({ analysis }: AnalyzedRun, { types, label }: DetectRequest): void {
  const { faces, objects } = analysis;
  const isFaceMissing = faces === null && (types === 'faces' || label !== undefined);
  if (isFaceMissing || (faces === null && objects === null)) {
    throw new NoActiveModel('The model that is needed is not active any more.');
  }
}

interface RunOnStored {
  readonly run: AnalyzedRun;
  readonly stored: StoredImage;
}

async function proposeForRun(
  deps: MatchingDeps,
  { run, stored }: RunOnStored,
  signal?: AbortSignal,
): Promise<Proposals | null> {
  if (run.models.faces === null) return null;
  const query = {
    scope: run.scope,
    model: run.models.faces,
    strategy: run.settings.matchStrategy,
    vectors: facesToCompare(run).map(({ embedding }) => embedding),
    limit: MAX_SUGGESTIONS + skipped({ run, stored }),
  };
  return proposeIdentities(deps, query, signal);
}

/** How many of the nearest identities may not count, as they are rejected or lose references. */
function skipped({ run, stored }: RunOnStored): number {
  const rejected = [...stored.rejections.values()].map(({ size }) => size);
  const hidden = hiddenReferences(run, stored).map(({ identityId }) => identityId);
  return Math.max(0, ...rejected) + new Set(hidden).size;
}
