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
import { forget, removeReplaced, splitRemoval } from './remove-replaced.ts';
import type { FileName, ImageFiles, PutFile } from '../run/image-files.ts';
import type { PostedFile } from '../run/image-run.ts';

/** The row of a new detection without its decision and its crop. */
export type DetectionValues = Omit<NewDetection, keyof Decision | 'cropKey' | 'cropBytes'>;
type Decision = Omit<PlannedDecision, 'identity'> & { readonly identityId: number | null };

/** The files of new rows, and functions that return the values of a row by its index in the run. */
export interface NewRows {
  readonly files: ImageFiles;
  readonly face: (index: number) => DetectionValues;
  readonly object: (index: number) => DetectionValues;
}

/** An object's values for the columns of faces. */
export const NO_FACE = {
  quality: null,
  landmarks: null,
  age: null,
  gender: null,
  pose: null,
  turned: 0,
  embeddingSource: null,
} as const;

/** The ids of the rows that are written first, because other rows refer to them. */
export interface WrittenIds {
  readonly source: SourceImage;
  /** The identities that this run created. */
  readonly identities: readonly Identity[];
  /** The ids of the faces, in the order of the plan. */
  readonly faces: readonly number[];
  /** The ids of the objects, in the order of the plan. */
  readonly objects: readonly number[];
  /** The operation that keeps removed detections about which people decided; null if there is none. */
  readonly operationId: number | null;
  /** Returns the id of an existing or created identity. */
  readonly resolve: (identity: PlannedIdentity) => number;
}

/**
 * Writes the source image, the identities and the detections of a plan, and deletes its removed detections and
 * references.
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

  const removal = splitRemoval(plan);
  await forget(tx, removal.plain);
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

  const { removedFiles, operationId } = await removeReplaced(tx, plan, {
    ...removal,
    faceIds: ids.faces,
  });
  files.noteRemoved(removedFiles);
  await tx.detections.decide(
    [...plan.faces, ...plan.objects].flatMap(({ stored, decision }) =>
      stored === null || decision === null
        ? []
        : [{ detection: stored, decision: resolved(decision) }],
    ),
  );
  return { source, identities, ...ids, resolve, operationId };
}

type PutFiles = ReadonlyMap<FileName, PutFile>;

async function writeSource(
  tx: Transaction,
  { run, state, externalRef }: RowsPlan,
  put: PutFiles,
): Promise<SourceImage> {
  const { source } = state;
  // An image without a row is new, so the run has a posted file. Only runs on stored images have none.
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
    takenAt: image.takenAt,
  };
}

/** The rows after a run. Faces and objects are in the order of the plan. */
export interface WrittenRows extends Pick<WrittenIds, 'source' | 'identities' | 'operationId'> {
  readonly faces: readonly Detection[];
  readonly objects: readonly Detection[];
  /** The references that this run created. */
  readonly references: readonly ReferenceLink[];
}

/** Creates the references of a plan, and reads the detections that the run wrote. */
export async function enrollAndRead(
  tx: Transaction,
  plan: RowsPlan,
  { source, identities, faces, objects, resolve, operationId }: WrittenIds,
): Promise<WrittenRows> {
  const kept = keptDetections(plan);
  const written = [...faces, ...objects].filter((id) => !kept.has(id));
  // The two calls are independent, so they start together and share a round trip.
  const [references, rows] = await Promise.all([
    enroll(tx, plan, { faces, resolve }),
    written.length > 0 ? tx.detections.byIds(written) : [],
  ]);
  const byId = new Map([...kept, ...rows.map((row) => [row.id, row] as const)]);
  const rowsOf = (ids: readonly number[]) => ids.map((id) => byId.get(id)!);
  const found = { faces: rowsOf(faces), objects: rowsOf(objects) };
  return { source, identities, references, operationId, ...found };
}

/**
 * The stored detections that the plan does not change, as they were read for the plan. Their identities are not locked,
 * so another request may have merged or deleted an identity since.
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
