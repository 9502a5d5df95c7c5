import type { Transaction } from '../../database/database.ts';
import type { DetectionPlan, ImagePlan, PlannedIdentity } from '../plan/image-plan.ts';
import type { Cover } from '../result/image-result.ts';

/** Detections that are written, and identities that have ids by now. */
export interface WrittenIds {
  /** Of the detections, in the order of their plans. */
  readonly ids: readonly number[];
  readonly resolve: (identity: PlannedIdentity) => number;
}

/** Adds what an archive has of detections: vectors, rejections, and what a person took out of lists. */
export async function addImported(
  tx: Transaction,
  plans: readonly DetectionPlan[],
  { ids, resolve }: WrittenIds,
): Promise<void> {
  const imports = plans.flatMap(({ imported }, i) =>
    imported === undefined ? [] : [{ ...imported, detectionId: ids[i]! }],
  );
  const vectors = imports.flatMap(({ detectionId, vectors: own }) =>
    own.map(({ modelId, vector }) => ({ modelId, detectionId, vector })),
  );
  for (const [modelId, embeddings] of Map.groupBy(vectors, (each) => each.modelId)) {
    await tx.detections.addEmbeddings(modelId, embeddings);
  }
  const rejections = imports.flatMap(({ detectionId, rejections: own }) =>
    own.map(({ identity, ...rejection }) => {
      return { ...rejection, detectionId, identityId: resolve(identity) };
    }),
  );
  await tx.detections.importRejections(rejections);
  for (const { detectionId, dismissedAt } of imports) {
    if (dismissedAt !== null) await tx.detections.dismiss([detectionId], dismissedAt);
  }
  const reviewed = imports.filter(({ reviewsMismatch }) => reviewsMismatch);
  await tx.detections.dismissMismatches(reviewed.map(({ detectionId }) => detectionId));
}

/** An identity that two detections of an archive show is shown by the last one. */
export async function setCovers(
  tx: Transaction,
  { faces, objects }: ImagePlan,
  { ids, resolve }: WrittenIds,
): Promise<readonly Cover[]> {
  const covers = new Map(
    [...faces, ...objects].flatMap(({ imported }, i) => {
      const identity = imported?.covers ?? null;
      return identity === null ? [] : [[resolve(identity), ids[i]!] as const];
    }),
  );
  for (const [identityId, detectionId] of covers) {
    await tx.identities.setCover(identityId, detectionId);
  }
  return [...covers].map(([identityId, detectionId]) => ({ identityId, detectionId }));
}
