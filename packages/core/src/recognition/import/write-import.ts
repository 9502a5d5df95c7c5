import type { Transaction } from '../../database/database.ts';
import { coverChanged } from '../../events/identity-events.ts';
import { eventsOfRows } from '../result/events-of-rows.ts';
import {
  type DetectionValues,
  enrollAndRead,
  NO_FACE,
  type WrittenIds,
  writeRows,
} from '../result/write-rows.ts';
import type { ImageFiles } from '../run/image-files.ts';
import type { ImportedDetection } from './import-run.ts';
import type { ImportPlan } from './plan-import.ts';

/** The numbers of rows that the import of an image created. */
export interface ImportedImage {
  /** Whether the image was already stored. */
  readonly reused: boolean;
  readonly detections: { readonly created: number; readonly kept: number };
  readonly identities: number;
  readonly references: number;
  readonly droppedVectors: number;
}

/**
 * Writes the rows of an import's plan and emits its events.
 *
 * @throws FileNotPut before the first write
 */
export async function writeImport(
  tx: Transaction,
  plan: ImportPlan,
  files: ImageFiles,
): Promise<ImportedImage> {
  const { run, state, faces, objects } = plan;
  const written = await writeRows(tx, plan, {
    files,
    face: (i) => valuesOf(run.faces[i]!),
    object: (i) => valuesOf(run.objects[i]!),
  });
  await addBelongings(tx, plan, written);
  const [rows, covers] = await Promise.all([
    enrollAndRead(tx, plan, written),
    setCovers(tx, plan, written),
  ]);
  const changed = covers.map(([identityId, detectionId]) => coverChanged(identityId, detectionId));
  await tx.emit(...eventsOfRows(plan, rows), ...changed);
  const found = [...faces, ...objects];
  const created = found.filter(({ stored }) => stored === null).length;
  return {
    reused: state.source !== null,
    detections: { created, kept: found.length - created },
    identities: rows.identities.length,
    references: rows.references.length,
    droppedVectors: run.droppedVectors,
  };
}

function valuesOf(detection: ImportedDetection): DetectionValues {
  const { type, bbox, confidence, landmarks, classId, className, age, gender, pose } = detection;
  const { turned, isManual, embeddingSource, detectedAt, dismissedAt, mismatchReviewed } =
    detection;
  return {
    type,
    bbox,
    confidence,
    quality: detection.quality ?? confidence,
    landmarks,
    classId,
    className,
    age,
    gender,
    pose,
    turned,
    isManual,
    embedding: null,
    embeddingSource,
    history: { detectedAt, dismissedAt, mismatchReviewed },
    ...(type === 'face' ? { classId: null, className: null } : NO_FACE),
  };
}

/**
 * Adds vectors and rejections of an archive. It also removes detections from the review queue or from the list of
 * mismatches if the archive did.
 */
async function addBelongings(
  tx: Transaction,
  plan: ImportPlan,
  { faces, objects, resolve }: WrittenIds,
): Promise<void> {
  const ids = [...faces, ...objects];
  const added = plan.added.map((each, i) => ({ ...each, detectionId: ids[i]! }));
  const vectors = added.flatMap(({ detectionId, vectors: own }) =>
    own.map(({ modelId, vector }) => ({ modelId, detectionId, vector })),
  );
  for (const [modelId, embeddings] of Map.groupBy(vectors, (each) => each.modelId)) {
    await tx.detections.addEmbeddings(modelId, embeddings);
  }
  const rejections = added.flatMap(({ detectionId, rejections: own }) =>
    own.map(({ identity, ...rejection }) => {
      return { ...rejection, detectionId, identityId: resolve(identity) };
    }),
  );
  await tx.detections.importRejections(rejections);
  for (const { detectionId, dismissedAt } of added) {
    if (dismissedAt !== null) await tx.detections.dismiss([detectionId], dismissedAt);
  }
  const reviewed = added.filter(({ reviewsMismatch }) => reviewsMismatch);
  await tx.detections.dismissMismatches(reviewed.map(({ detectionId }) => detectionId));
}

/** Sets the covers of a plan. If the plan has two covers for an identity, the last one wins. */
async function setCovers(
  tx: Transaction,
  { added }: ImportPlan,
  { faces, objects, resolve }: WrittenIds,
): Promise<readonly (readonly [identityId: number, detectionId: number])[]> {
  const ids = [...faces, ...objects];
  const covers = new Map(
    added.flatMap(({ covers: identity }, i) =>
      identity === null ? [] : [[resolve(identity), ids[i]!] as const],
    ),
  );
  for (const cover of covers) await tx.identities.setCover(...cover);
  return [...covers];
}
