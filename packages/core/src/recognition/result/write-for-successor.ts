import type { Transaction } from '../../database/database.ts';
import type { ImagePlan } from '../plan/image-plan.ts';
import { isForSuccessor, type SuccessorVectors } from '../embed-for-successor.ts';
import type { ImageResult } from './image-result.ts';

/**
 * Adds to what a plan has led to: vectors of the model that follows the one of the run, and references
 * where the plan enrolls. As with those that a job makes, nothing is announced: who is who is the same.
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
