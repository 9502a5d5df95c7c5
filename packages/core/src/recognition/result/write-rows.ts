import type { Transaction } from '../../database/database.ts';
import type { DetectionType } from '../../detection-type.ts';
import type { Detection, NewDetection } from '../../detections/detection.ts';
import type { Identity } from '../../identities/identity.ts';
import { identityKey } from '../../identities/identity-key.ts';
import type { ReferenceLink } from '../../references/reference.ts';
import type { NewSourceImage, SourceImage } from '../../sources/source-image.ts';
import type {
  DetectionPlan,
  PlannedDecision,
  PlannedIdentity,
  RowsPlan,
} from '../plan/image-plan.ts';
import type { FileName, ImageFiles, PutFile } from '../run/image-files.ts';
import type { PostedFile } from '../run/image-run.ts';

/** The row of a new detection, but for its decision and its crop. */
export type DetectionValues = Omit<NewDetection, keyof Decision | 'cropKey' | 'cropBytes'>;
type Decision = Omit<PlannedDecision, 'identity'> & { readonly identityId: number | null };

/** The source of new rows: their files, and their values by index in the run. */
export interface NewRows {
  readonly files: ImageFiles;
  readonly face: (index: number) => DetectionValues;
  readonly object: (index: number) => DetectionValues;
}

/** The values of an object in the fields that only faces have. */
export const NO_FACE = {
  quality: null,
  landmarks: null,
  age: null,
  gender: null,
  pose: null,
  embeddingSource: null,
} as const;

/** The ids of the rows that are written first: the other rows refer to them. */
export interface WrittenIds {
  readonly source: SourceImage;
  /** Created by this run. */
  readonly identities: readonly Identity[];
  /** Ids of the detections, in the order of the plan. */
  readonly faces: readonly number[];
  readonly objects: readonly number[];
  /** Answers the id of an identity, also of one that was just created. */
  readonly resolve: (identity: PlannedIdentity) => number;
}

/**
 * Writes the source image, the identities and the detections of a plan, and removes what it revokes or
 * replaces.
 *
 * @throws FileNotPut before the first write
 */
export async function writeRows(
  tx: Transaction,
  plan: RowsPlan,
  { files, face, object }: NewRows,
): Promise<WrittenIds> {
  tx.require(...plan.locks);
  const put = new Map(plan.files.map((name) => [name, files.get(name)]));
  const source = await writeSource(tx, plan, put);
  const identities = plan.created.length > 0 ? await tx.identities.insert(plan.created) : [];
  const created = new Map(identities.map((identity) => [identityKey(identity), identity.id]));
  const resolve = (identity: PlannedIdentity): number =>
    typeof identity === 'number' ? identity : created.get(identityKey(identity))!;
  const resolved = ({ identity, ...decision }: PlannedDecision): Decision => {
    return { ...decision, identityId: identity === null ? null : resolve(identity) };
  };

  if (plan.revoked.length > 0) await tx.references.revoke(plan.revoked);
  for (const id of plan.uncovered) await tx.identities.setCover(id, null);
  const rowsOf = (type: DetectionType, valuesOf: NewRows['face']): NewDetection[] =>
    plan[`${type}s`].flatMap(({ stored, decision }, i) => {
      if (stored !== null) return [];
      const crop = put.get(`${type} ${i}`)!;
      return { ...valuesOf(i), ...resolved(decision!), cropKey: crop.key, cropBytes: crop.size };
    });
  const rows = [...rowsOf('face', face), ...rowsOf('object', object)];
  const newIds = rows.length > 0 ? [...(await tx.detections.insert(source, rows))] : [];
  const idsOf = (plans: readonly DetectionPlan[]) =>
    plans.map(({ stored }) => stored?.id ?? newIds.shift()!);
  const ids = { faces: idsOf(plan.faces), objects: idsOf(plan.objects) };

  await removeDetections(tx, plan, ids.faces);
  for (const { stored, decision } of [...plan.faces, ...plan.objects]) {
    if (stored !== null && decision !== null)
      await tx.detections.decide(stored, resolved(decision));
  }
  return { source, identities, ...ids, resolve };
}

type PutFiles = ReadonlyMap<FileName, PutFile>;

async function writeSource(
  tx: Transaction,
  { run, state, externalRef }: RowsPlan,
  put: PutFiles,
): Promise<SourceImage> {
  const { source } = state;
  // An image that is not stored was posted: a run without a posted file is always on a stored
  // image.
  if (source === null) return tx.sources.insert(newSource(run.digest, run.posted!, put));
  if (externalRef === null || externalRef === source.externalRef) return source;
  await tx.sources.setExternalRef(source, externalRef);
  return { ...source, externalRef };
}

function newSource(digest: string, posted: PostedFile, put: PutFiles): NewSourceImage {
  const { sizeBytes, image, rendition, externalRef, uploadedAt } = posted;
  const media = put.get('source')!;
  const original = put.get('original');
  return {
    digest,
    sizeBytes,
    format: image.format,
    width: image.width,
    height: image.height,
    storedWidth: rendition.width,
    storedHeight: rendition.height,
    mediaKey: media.key,
    mediaBytes: media.size,
    originalKey: original?.key ?? null,
    externalRef,
    uploadedAt,
  };
}

/** New detections first inherit the rejections of those that they replace. */
async function removeDetections(
  tx: Transaction,
  { faces, removed }: RowsPlan,
  faceIds: readonly number[],
): Promise<void> {
  const replacements = faces.flatMap(({ replaces }, i) =>
    replaces === null ? [] : [{ from: replaces.id, to: faceIds[i]! }],
  );
  if (replacements.length > 0) await tx.detections.inheritRejections(replacements);
  if (removed.length > 0) await tx.detections.delete(removed);
}

/** The rows that a plan has written; faces and objects in the order of the plan. */
export interface WrittenRows extends Pick<WrittenIds, 'source' | 'identities'> {
  readonly faces: readonly Detection[];
  readonly objects: readonly Detection[];
  /** Made by this run. */
  readonly references: readonly ReferenceLink[];
}

/** Makes the references of a plan, and reads the detections that it wrote. */
export async function enrollAndRead(
  tx: Transaction,
  plan: RowsPlan,
  { source, identities, faces, objects, resolve }: WrittenIds,
): Promise<WrittenRows> {
  const kept = keptDetections(plan);
  const written = [...faces, ...objects].filter((id) => !kept.has(id));
  // Both share a round trip, because neither needs the other's changes.
  const [references, rows] = await Promise.all([
    enroll(tx, plan, { faces, resolve }),
    written.length > 0 ? tx.detections.byIds(written) : [],
  ]);
  const byId = new Map([...kept, ...rows.map((row) => [row.id, row] as const)]);
  const rowsOf = (ids: readonly number[]) => ids.map((id) => byId.get(id)!);
  return { source, identities, references, faces: rowsOf(faces), objects: rowsOf(objects) };
}

/**
 * Stored detections that stay as they are, as the plan found them. Their identities are not locked, so
 * another request may have merged or begun to delete them.
 */
function keptDetections({ faces, objects }: RowsPlan): ReadonlyMap<number, Detection> {
  const kept = [...faces, ...objects].filter(({ decision }) => decision === null);
  return new Map(kept.flatMap(({ stored }) => (stored === null ? [] : [[stored.id, stored]])));
}

async function enroll(
  tx: Transaction,
  { state, faces }: RowsPlan,
  { faces: faceIds, resolve }: Pick<WrittenIds, 'faces' | 'resolve'>,
): Promise<readonly ReferenceLink[]> {
  const known = new Set(state.references.map(({ id }) => id));
  const links = faces.flatMap(({ enrollment }, i) => {
    if (enrollment === null) return [];
    const { identity, modelIds, since } = enrollment;
    const link = { detectionId: faceIds[i]!, identityId: resolve(identity) };
    return modelIds.map((modelId) => ({ ...link, modelId, createdAt: since?.get(modelId) }));
  });
  const references = links.length > 0 ? await tx.references.enroll(links) : [];
  return references.filter(({ id }) => !known.has(id));
}
