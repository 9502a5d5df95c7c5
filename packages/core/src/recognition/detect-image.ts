import { normalizeLabel } from '../identities/label.ts';
import { MAX_SUGGESTIONS } from '../matching/decide-face.ts';
import { proposeIdentities, type MatchingDeps } from '../matching/propose-identities.ts';
import type { Proposals } from '../matching/read-gallery.ts';
import { NoActiveModel } from '../models/model-errors.ts';
import type { ModelRegistry } from '../models/model-registry.ts';
import { effectiveSettings } from '../settings/effective-settings.ts';
import type { Settle } from '../database/database.ts';
import type { Scope } from '../store/scope.ts';
import { analyzeForStorage, digestOf, type AnalyzedImage } from './image-run/analyzed-image.ts';
import { type DetectResult, toDetectResult } from './detect-result.ts';
import { type AnalyzerStatus, embedsFaces, type ImageAnalyzer } from '../analysis/image-analyzer.ts';
import { facesToCompare, hiddenReferences, type ImageRun } from './image-run/image-run.ts';
import { storeImage, type StoreImageDeps } from './image-run/store-image.ts';
import { readStoredImage, type StoredImage } from './image-run/stored-image.ts';
import type { DetectionTypes } from './test-image.ts';

export interface DetectImageDeps extends StoreImageDeps, MatchingDeps {
  readonly analyzer: ImageAnalyzer;
  readonly models: ModelRegistry;
}

export interface DetectRequest {
  readonly scope: Scope;
  /** The encoded file; it is taken. */
  readonly image: Uint8Array;
  readonly types: DetectionTypes;
  /** Of the source image; absent: the one that it has stays. */
  readonly externalRef?: string;
  /** Remove what is stored of these types, instead of comparing it with what is found. */
  readonly replace: boolean;
  /** Who the most certain face is. */
  readonly label?: string;
}

/**
 * Finds faces and objects in an image and stores them; faces become those whom they match. Where the
 * image is stored already, what overlaps a stored detection is that detection.
 *
 * @throws InvalidLabel; NoActiveModel if there is no model for what is asked for; the errors of
 *   {@link ImageAnalyzer.analyze}; VectorsUnavailable if faces have to be matched and cannot be, also
 *   where none would have been found; StoreUnavailable. Nothing is stored then.
 */
export async function detectImage(
  deps: DetectImageDeps,
  request: DetectRequest,
  options: { readonly signal?: AbortSignal; readonly settle?: Settle<DetectResult> } = {},
): Promise<DetectResult> {
  const { signal, settle } = options;
  const named =
    request.label === undefined
      ? null
      : { label: normalizeLabel(request.label), externalRef: null };
  const status = await deps.analyzer.status(signal);
  const find = enginesFor(status, request);
  const digest = digestOf(request.image);
  const { settings, stored } = await deps.database.withScope(
    request.scope,
    async (stores) => {
      const [values, stored] = await Promise.all([
        stores.settings.all(),
        readStoredImage(stores, digest),
      ]);
      return { settings: effectiveSettings(values), stored };
    },
    signal,
  );
  // Of a face that has a name already nobody asks who it is, and there may be no other.
  const matches = find.faces && named === null && embedsFaces(status);
  const needs = matches ? [deps.media, deps.vectors] : [deps.media];
  const image = await analyzeForStorage(
    deps,
    { ...request, settings, digest, find, needs },
    signal,
  );
  requireModels(image, request);
  const wishes = { replace: request.replace, externalRef: request.externalRef ?? null, named };
  const proposals = await proposeForRun(deps, { ...image, ...wishes, stored }, signal);
  return storeImage(
    deps,
    { ...image, ...wishes, proposals },
    {
      ...(signal && { signal }),
      finish: async (tx, planned, written) => {
        const result = toDetectResult(planned, written);
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

/** A model may have gone since the analyzer was asked. */
function requireModels({ analysis }: AnalyzedImage, { types, label }: DetectRequest): void {
  const { faces, objects } = analysis;
  const isFaceMissing = faces === null && (types === 'faces' || label !== undefined);
  if (isFaceMissing || (faces === null && objects === null)) {
    throw new NoActiveModel('The model that is needed is not active any more.');
  }
}

async function proposeForRun(
  deps: MatchingDeps,
  run: Omit<ImageRun, 'proposals'> & { readonly stored: StoredImage },
  signal?: AbortSignal,
): Promise<Proposals | null> {
  if (run.models.faces === null) return null;
  const query = {
    scope: run.scope,
    model: run.models.faces,
    strategy: run.settings.matchStrategy,
    vectors: facesToCompare(run).map(({ embedding }) => embedding),
    limit: MAX_SUGGESTIONS + passedOver(run),
  };
  return proposeIdentities(deps, query, signal);
}

/** How many identities may come before those that count: rejected ones and hidden ones. */
function passedOver(run: Omit<ImageRun, 'proposals'> & { readonly stored: StoredImage }): number {
  const rejected = [...run.stored.rejections.values()].map(({ size }) => size);
  const hidden = hiddenReferences(run, run.stored).map(({ identityId }) => identityId);
  return Math.max(0, ...rejected) + new Set(hidden).size;
}
