import type { Settle, Transaction } from '../database/database.ts';
import { ExternalRefConflict } from '../identities/identity-errors.ts';
import { normalizeLabel } from '../identities/label.ts';
import { FaceCount } from '../matching/face-count.ts';
import { digestOf } from '../media/digest-of.ts';
import { NoActiveModel } from '../models/model-errors.ts';
import type { RegisteredModel } from '../models/model-store.ts';
import { CANNOT_ALIGN, EnrolledElsewhere, NoEmbedding } from '../references/reference-errors.ts';
import type { Scope } from '../store/scope.ts';
import type { ImagePlan } from './plan/image-plan.ts';
import type { ImageResult } from './result/image-result.ts';
import { analyzeImage, type AnalyzedRun } from './run/analyze-image.ts';
import type { NamedTarget } from './run/image-run.ts';
import { findEngines } from './run/find-engines.ts';
import { readBeforeRun } from './state/read-stored-image.ts';
import { storeImage, type StoreImageDeps } from './store-image.ts';

export interface EnrollFaceRequest {
  readonly scope: Scope;
  /** The encoded file. Its buffer must not be used afterwards. */
  readonly image: Uint8Array;
  /** The identity. An identity with a new label is created. */
  readonly target: { readonly label: string } | { readonly identityId: number };
  /** The caller's own name for the identity. It is stored unless the identity already has such a name. */
  readonly externalRef?: string;
}

export interface EnrolledFace {
  readonly identityId: number;
  readonly label: string;
  /** The id of the reference. */
  readonly embeddingId: number;
  /** The face is enrolled, by this call or by an earlier one. */
  readonly enrolled: true;
}

/**
 * Enrolls the face of a photo under an identity. It stores the photo with a confirmed detection. If the photo is
 * already stored, it confirms the stored detection that the face overlaps.
 *
 * @throws InvalidLabel, NotFound or TypeMismatch because of the identity; ExternalRefConflict; FaceCount unless the
 *   photo has exactly one face; EnrolledElsewhere; NoEmbedding; NoActiveModel; the errors of `ImageAnalyzer.analyze`;
 *   StoreUnavailable
 */
export async function enrollFace(
  deps: StoreImageDeps,
  request: EnrollFaceRequest,
  options: { readonly signal?: AbortSignal; readonly settle?: Settle<EnrolledFace> } = {},
): Promise<EnrolledFace> {
  const { scope, image, externalRef } = request;
  const { signal, settle } = options;
  const named = toNamedTarget(request);
  await findEngines(deps, { types: 'faces', namesFace: true }, signal);
  const digest = digestOf(image);
  const { settings, stored } = await readBeforeRun(deps.database, { scope, digest }, signal);
  const input = { scope, settings, digest, image, named, of: { externalRef: null } };
  const find = { faces: true, objects: false };
  // The index is not required, because the new reference is copied into it later.
  const needs = [deps.media];
  const analyzed = await analyzeImage(deps, { ...input, kind: 'compare', find, needs }, signal);
  const model = requireOneFace(analyzed);
  return storeImage(
    deps,
    { run: { ...analyzed, proposals: null }, stored },
    {
      signal,
      check: (plan) => {
        requireNotElsewhere(plan);
        requireSameRef(plan, externalRef);
      },
      finish: async (tx, plan, result) => {
        await setExternalRef(tx, plan, externalRef);
        const answer = await toEnrolledFace(tx, model, result);
        const ids = result.faces.map(({ detection }) => detection.id);
        const details = { identity_id: answer.identityId };
        await tx.audit({ entity: 'detection', action: 'enroll', ids, details });
        await settle?.(tx, answer);
        return answer;
      },
    },
  );
}

function toNamedTarget({ target, externalRef }: EnrollFaceRequest): NamedTarget {
  return 'label' in target
    ? { type: 'face', label: normalizeLabel(target.label), externalRef: externalRef ?? null }
    : { type: 'face', ...target };
}

/** @throws NoActiveModel, FaceCount, NoEmbedding */
function requireOneFace({ faces, models }: AnalyzedRun): RegisteredModel {
  if (faces === null) throw new NoActiveModel('No face model is active.');
  if (faces.length !== 1) {
    throw new FaceCount(`The photo shows ${faces.length} faces; it must show exactly one.`, {
      faces: faces.length,
    });
  }
  if (faces[0]!.embedding === null) throw withoutEmbedding(models.faces!);
  return models.faces!;
}

function withoutEmbedding({ embeddingDim }: RegisteredModel): NoEmbedding {
  return new NoEmbedding(
    embeddingDim === null
      ? 'The active face model computes no embeddings.'
      : `The face ${CANNOT_ALIGN}.`,
  );
}

function requireNotElsewhere({ faces, state }: ImagePlan): void {
  const [face] = faces;
  const target = state.named?.id ?? null;
  const elsewhere = state.references.find(
    ({ detectionId, identityId }) => detectionId === face?.stored?.id && identityId !== target,
  );
  if (elsewhere) throw new EnrolledElsewhere(elsewhere.identityId);
}

function requireSameRef({ state }: ImagePlan, externalRef: string | undefined): void {
  const present = state.named?.externalRef ?? null;
  if (externalRef !== undefined && present !== null && present !== externalRef) {
    throw new ExternalRefConflict(state.named!);
  }
}

async function setExternalRef(
  tx: Transaction,
  { state }: ImagePlan,
  externalRef: string | undefined,
): Promise<void> {
  const { named } = state;
  if (externalRef === undefined || named?.externalRef !== null) return;
  await tx.identities.setExternalRef(named.id, externalRef);
}

async function toEnrolledFace(
  tx: Transaction,
  model: RegisteredModel,
  { faces }: ImageResult,
): Promise<EnrolledFace> {
  const { detection } = faces[0]!;
  const references = await tx.references.ofDetections([detection.id]);
  const reference = references.find(({ modelId }) => modelId === model.id);
  return {
    identityId: detection.identityId!,
    label: detection.label!,
    embeddingId: reference!.id,
    enrolled: true,
  };
}
