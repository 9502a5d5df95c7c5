import { analyzeForStorage, digestOf } from './image-run/analyzed-image.ts';
import type { ImageAnalyzer } from '../analysis/image-analyzer.ts';
import type { ImageRun, NamedTarget } from './image-run/image-run.ts';
import type { PlannedImage } from './image-run/plan-image.ts';
import { storeImage, type StoreImageDeps } from './image-run/store-image.ts';
import type { WrittenImage } from './image-run/written-image.ts';
import { ExternalRefConflict } from '../identities/identity-errors.ts';
import { normalizeLabel } from '../identities/label.ts';
import { FaceCount } from '../matching/face-count.ts';
import { NoActiveModel } from '../models/model-errors.ts';
import type { ModelRegistry } from '../models/model-registry.ts';
import type { RegisteredModel } from '../models/model-store.ts';
import { loadSettings } from '../database/load-settings.ts';
import type { Settle, Transaction } from '../database/database.ts';
import type { Scope } from '../store/scope.ts';
import { EnrolledElsewhere, NoEmbedding } from '../references/reference-errors.ts';

export interface EnrollFaceDeps extends StoreImageDeps {
  readonly analyzer: ImageAnalyzer;
  readonly models: ModelRegistry;
}

export interface EnrollFaceRequest {
  readonly scope: Scope;
  /** The encoded file; it is taken. */
  readonly image: Uint8Array;
  /** An identity by its label, created if there is none, or by its id. */
  readonly target: { readonly label: string } | { readonly identityId: number };
  /** Of the identity: it is kept if it has none. */
  readonly externalRef?: string;
}

export interface EnrolledFace {
  readonly identityId: number;
  readonly label: string;
  /** Id of the reference. */
  readonly embeddingId: number;
  /** It is a reference now, whether made now or before. */
  readonly enrolled: true;
}

/**
 * Makes the face of a photo a reference of an identity. The photo is stored with a confirmed
 * detection; where it is stored already, the detection that the face overlaps becomes that.
 *
 * @throws InvalidLabel, NotFound, TypeMismatch for the identity; ExternalRefConflict; FaceCount unless
 *   the photo has exactly one face; EnrolledElsewhere; NoEmbedding; NoActiveModel; the errors of
 *   {@link ImageAnalyzer.analyze}; StoreUnavailable. Nothing is stored then.
 */
export async function enrollFace(
  deps: EnrollFaceDeps,
  request: EnrollFaceRequest,
  options: { readonly signal?: AbortSignal; readonly settle?: Settle<EnrolledFace> } = {},
): Promise<EnrolledFace> {
  const { scope, image, externalRef } = request;
  const { signal, settle } = options;
  const named = toNamedTarget(request);
  const { models } = await deps.analyzer.status(signal);
  if (!models.some(({ task }) => task === 'face'))
    throw new NoActiveModel('No face model is active.');
  const settings = await loadSettings(deps.database, scope, signal);
  const digest = digestOf(image);
  const analyzed = await analyzeForStorage(
    deps,
    {
      ...{ scope, image, settings, digest, find: { faces: true, objects: false } },
      // The index hears of the reference later.
      needs: [deps.media],
    },
    signal,
  );
  const run: ImageRun = { ...analyzed, named, replace: false, externalRef: null, proposals: null };
  const model = requireOneFace(run);
  return storeImage(deps, run, {
    ...(signal && { signal }),
    check: (planned) => {
      requireNotElsewhere(planned);
      requireSameRef(planned, externalRef);
    },
    finish: async (tx, planned, written) => {
      await setExternalRef(tx, planned, externalRef);
      const result = await toEnrolledFace(tx, model, written);
      await settle?.(tx, result);
      return result;
    },
  });
}

function toNamedTarget({ target, externalRef }: EnrollFaceRequest): NamedTarget {
  return 'label' in target
    ? { label: normalizeLabel(target.label), externalRef: externalRef ?? null }
    : target;
}

/** @throws NoActiveModel, FaceCount, NoEmbedding */
function requireOneFace({ analysis, models }: ImageRun): RegisteredModel {
  if (analysis.faces === null) throw new NoActiveModel('No face model is active.');
  const { items } = analysis.faces;
  if (items.length !== 1) {
    throw new FaceCount(`The photo has ${items.length} faces; to enroll one, it must have one.`, {
      faces: items.length,
    });
  }
  if (items[0]!.embedding === null) {
    throw new NoEmbedding('The active face model makes no embeddings.');
  }
  return models.faces!;
}

function requireNotElsewhere({ plan, state }: PlannedImage): void {
  const [face] = plan.faces;
  const target = state.named?.id ?? null;
  const elsewhere = state.references.find(
    ({ detectionId, identityId }) => detectionId === face?.stored?.id && identityId !== target,
  );
  if (elsewhere) throw new EnrolledElsewhere(elsewhere.identityId);
}

function requireSameRef({ state }: PlannedImage, externalRef: string | undefined): void {
  const present = state.named?.externalRef ?? null;
  if (externalRef !== undefined && present !== null && present !== externalRef) {
    throw new ExternalRefConflict(state.named!);
  }
}

async function setExternalRef(
  tx: Transaction,
  { state }: PlannedImage,
  externalRef: string | undefined,
): Promise<void> {
  const { named } = state;
  if (externalRef === undefined || named?.externalRef !== null) return;
  await tx.identities.setExternalRef(named.id, externalRef);
}

async function toEnrolledFace(
  tx: Transaction,
  model: RegisteredModel,
  { faces }: WrittenImage,
): Promise<EnrolledFace> {
  const [face] = faces;
  const references = await tx.references.ofDetections([face!.id]);
  const reference = references.find(({ modelId }) => modelId === model.id);
  return {
    identityId: face!.identityId!,
    label: face!.label!,
    embeddingId: reference!.id,
    enrolled: true,
  };
}
