import type { Transaction } from '../../database/database.ts';
import type { ImagePlan } from '../plan/image-plan.ts';
import type { ImageFiles } from '../run/image-files.ts';
import { type FoundFace, type FoundObject, type ImageRun, storedModel } from '../run/image-run.ts';
import { eventsOfRows } from './events-of-rows.ts';
import { type ImageResult, toImageResult } from './image-result.ts';
import {
  NO_FACE,
  type DetectionValues,
  enrollAndRead,
  type WrittenIds,
  writeRows,
} from './write-rows.ts';

/**
 * Writes the rows of a plan and emits its events.
 *
 * @throws FileNotPut before the first write
 */
export async function writeImage(
  tx: Transaction,
  plan: ImagePlan,
  files: ImageFiles,
): Promise<ImageResult> {
  const { run } = plan;
  const written = await writeRows(tx, plan, {
    files,
    face: (i) => valuesOfFace(run, run.faces![i]!),
    object: (i) => valuesOfObject(run, run.objects![i]!),
  });
  await addEmbeddings(tx, plan);
  await markUnembeddable(tx, plan, written.faces);
  await forgetRejections(tx, plan, written);
  // The two calls are independent, so they start together and share round trips.
  const [rows] = await Promise.all([
    enrollAndRead(tx, plan, written),
    keepSuggestions(tx, plan, written.faces),
  ]);
  await tx.emit(...eventsOfRows(plan, rows));
  return toImageResult(plan, rows);
}

function valuesOfFace({ kind, models }: ImageRun, face: FoundFace): DetectionValues {
  const { bbox, confidence, quality, landmarks, embedding, age, gender, pose, turned } = face;
  const alignment = landmarks === null ? 'box' : 'aligned';
  return {
    type: 'face',
    bbox,
    confidence,
    quality,
    landmarks,
    age,
    gender,
    pose,
    turned,
    classId: null,
    className: null,
    isManual: kind === 'draw',
    embedding: embedding && { modelId: models.faces!.id, vector: embedding },
    embeddingSource: embedding && alignment,
  };
}

function valuesOfObject({ kind }: ImageRun, object: FoundObject): DetectionValues {
  const { bbox, confidence, classId, className } = object;
  return {
    type: 'object',
    bbox,
    confidence,
    classId,
    className,
    isManual: kind === 'draw',
    embedding: null,
    ...NO_FACE,
  };
}

async function addEmbeddings(tx: Transaction, { run, faces }: ImagePlan): Promise<void> {
  const embeddings = faces.flatMap(({ stored, addsEmbedding }, i) =>
    addsEmbedding ? [{ detectionId: stored!.id, vector: run.faces![i]!.embedding! }] : [],
  );
  if (embeddings.length > 0) await tx.detections.addEmbeddings(run.models.faces!.id, embeddings);
}

async function markUnembeddable(
  tx: Transaction,
  { run, faces }: ImagePlan,
  faceIds: readonly number[],
): Promise<void> {
  const model = storedModel(run);
  if (model === null) return;
  const ids = faces.flatMap(({ stored }, i) =>
    stored === null && run.faces![i]!.embedding === null ? [faceIds[i]!] : [],
  );
  if (ids.length > 0) await tx.detections.markUnembeddable(model.id, ids, 'implausible_landmarks');
}

/** If a caller names an identity for a face, an earlier rejection of that identity is removed. */
async function forgetRejections(
  tx: Transaction,
  { run, state, faces }: ImagePlan,
  { faces: faceIds, resolve }: WrittenIds,
): Promise<void> {
  if (run.named === null) return;
  const named = faces.flatMap(({ decision, stored, replaces }, i) => {
    const isRejected = state.rejections.has((stored ?? replaces)?.id ?? 0);
    if (decision?.decidedBy !== 'human' || !isRejected) return [];
    return [{ detectionId: faceIds[i]!, identityId: resolve(decision.identity!) }];
  });
  await tx.detections.forgetRejections(named);
}

async function keepSuggestions(
  tx: Transaction,
  { run, faces }: ImagePlan,
  faceIds: readonly number[],
): Promise<void> {
  // The background keeps the suggestions of a face from its first vector of the model on. It may have stored newer ones
  // than this run found. A confirmed face has none.
  const decided = faces.flatMap(({ stored, addsEmbedding, decision, suggestions }, i) =>
    (stored === null || addsEmbedding) &&
    suggestions !== null &&
    suggestions.length > 0 &&
    decision?.reviewStatus !== 'confirmed'
      ? [{ detectionId: faceIds[i]!, candidates: suggestions }]
      : [],
  );
  if (decided.length > 0) await tx.suggestions.add(run.models.faces!.id, decided);
}
