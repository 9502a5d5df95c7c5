import type { Transaction } from '../../database/database.ts';
import type { FacePlan, ImagePlan } from '../plan/image-plan.ts';
import type { ImageResult } from './image-result.ts';

/** The embeddings of the model that replaces the run's face model. */
export interface SuccessorVectors {
  readonly modelId: number;
  /** The L2-normalized embeddings, by index of the face in the run. */
  readonly vectors: ReadonlyMap<number, Float32Array>;
}

/**
 * Whether the successor model embeds a face during this run: faces that are new or that this run enrolls. All other
 * stored faces are embedded by the activation.
 */
export function isForSuccessor({ stored, enrollment }: FacePlan): boolean {
  return stored === null || enrollment !== null;
}

/**
 * Stores the embeddings of the successor model, and references for the faces that the plan enrolls. No events are
 * emitted, because no face changes its identity.
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
