import type { Transaction } from '../../database/database.ts';
import type { FacePlan, ImagePlan } from '../plan/image-plan.ts';
import type { ImageResult } from './image-result.ts';

/** Vectors of the model that follows the one of a run. */
export interface SuccessorVectors {
  readonly modelId: number;
  /** By index of the face in the run; L2-normalized. */
  readonly vectors: ReadonlyMap<number, Float32Array>;
}

/** Whether a face gets vectors of the successor; the activation embeds faces that are stored already. */
export function isForSuccessor({ stored, enrollment }: FacePlan): boolean {
  return stored === null || enrollment !== null;
}

/**
 * Stores the vectors of the model that follows the one of the run, and references where the plan enrolls.
 * Like those that a job makes, they cause no events: no face gets another identity.
 */
export async function writeForSuccessor(
  tx: Transaction,
  plan: ImagePlan,
  {
    result,
    successor: { modelId, vectors },
  }: { readonly result: ImageResult; readonly successor: SuccessorVectors },
): Promise<void> {
  const written = plan.faces.flatMap((face, i) => {
    const vector = vectors.get(i);
    if (vector === undefined || !isForSuccessor(face)) return [];
    const { id: detectionId, identityId } = result.faces[i]!.detection;
    return [{ detectionId, vector, enrolledAs: face.enrollment === null ? null : identityId }];
  });
  await tx.detections.addEmbeddings(modelId, written);
  await tx.references.enroll(
    written.flatMap(({ detectionId, enrolledAs: identityId }) =>
      identityId === null ? [] : [{ detectionId, identityId, modelId }],
    ),
  );
}
