import type { Database } from '../database/database.ts';
import type { ActivationStore } from '../models/activation-store.ts';
import { ModelNotDownloaded } from '../models/model-errors.ts';
import { NotFound } from '../store/not-found.ts';
import type { ActivationRequest } from './request-activation.ts';

export interface PlanActivationDeps {
  readonly database: Pick<Database, 'withScope'>;
  readonly activations: Pick<ActivationStore, 'work'>;
  /** The free bytes of the disk of the database; null if this process does not know them. */
  readonly databaseFreeBytes: (signal: AbortSignal) => Promise<number | null>;
}

/** The consequences of an activation. */
export interface ActivationPlan {
  /** The number of images whose faces get embeddings of the model. */
  readonly images: number;
  /** The number of these images in which a face is enrolled. Their faces get their embeddings first. */
  readonly enrolledImages: number;
  /** The time for all images; null if no job has computed embeddings lately. */
  readonly seconds: number | null;
  /** The time for the images with enrolled faces. */
  readonly enrolledSeconds: number | null;
  /** The size of the embeddings that are stored. */
  readonly neededBytes: number;
  readonly freeBytes: number | null;
  /** Whether matching is unavailable until the enrolled faces have their embeddings. */
  readonly matchingPauses: boolean;
}

const NO_WORK = { images: 0, enrolledImages: 0, faces: 0, imagesPerSecond: null };

const BYTES_PER_COMPONENT = 4;

/**
 * Computes the consequences of an activation, without changing anything.
 *
 * @throws NotFound, ModelNotDownloaded, StoreUnavailable; the signal's reason on abort
 */
export async function planActivation(
  { database, activations, databaseFreeBytes }: PlanActivationDeps,
  { scope, modelId, reembed }: ActivationRequest,
  signal: AbortSignal,
): Promise<ActivationPlan> {
  const model = await database.withScope(scope, ({ models }) => models.byId(modelId), signal);
  if (model === null) throw new NotFound('model', modelId);
  const { status, embeddingDim } = model;
  if (status !== 'downloaded' && status !== 'active') {
    throw new ModelNotDownloaded('Download the model before you activate it.');
  }
  const hasWork = status !== 'active' && embeddingDim !== null;
  const [work, freeBytes] = await Promise.all([
    hasWork ? activations.work(modelId, signal) : NO_WORK,
    databaseFreeBytes(signal),
  ]);
  const { images, enrolledImages, imagesPerSecond: rate } = work;
  return {
    images,
    enrolledImages,
    seconds: secondsOf(images, rate),
    enrolledSeconds: secondsOf(enrolledImages, rate),
    neededBytes: work.faces * (embeddingDim ?? 0) * BYTES_PER_COMPONENT,
    freeBytes,
    matchingPauses: reembed === 'after' && enrolledImages > 0,
  };
}

function secondsOf(images: number, imagesPerSecond: number | null): number | null {
  if (images === 0) return 0;
  return imagesPerSecond === null ? null : Math.ceil(images / imagesPerSecond);
}
