import type { Identity } from '../../identities/identity.ts';
import type { ReferenceLink } from '../../references/reference.ts';
import type { SourceImage } from '../../sources/source-image.ts';
import type { Transaction } from '../../database/database.ts';
import type { NewDetection } from '../../detections/detection.ts';
import { eventsOfImage } from './image-events.ts';
import type { FileName, ImageFiles, PutFile } from './image-files.ts';
import type { PlannedIdentity } from './image-run.ts';
import { newFace, newObject, newSource, type ResolvedDecision } from './new-records.ts';
import type { PlannedDecision } from './plan-faces.ts';
import { identityKey, locksOf, type ImagePlan, type PlannedImage } from './plan-image.ts';
import type { WrittenImage } from './written-image.ts';

/** The files that a plan refers to. */
export function filesOfPlan({ run, state, plan }: PlannedImage): readonly FileName[] {
  const names: FileName[] = [];
  if (state.source === null) names.push('source', ...(run.original ? ['original' as const] : []));
  for (const [i, { stored }] of plan.faces.entries()) if (!stored) names.push(`face ${i}`);
  for (const [i, { stored }] of plan.objects.entries()) if (!stored) names.push(`object ${i}`);
  return names;
}

/**
 * Carries out a plan and announces it.
 *
 * @throws FileNotPut before the first write
 */
export async function writeImage(
  tx: Transaction,
  planned: PlannedImage,
  files: ImageFiles,
): Promise<WrittenImage> {
  tx.require(...locksOf(planned));
  const put = new Map(filesOfPlan(planned).map((name) => [name, files.get(name)]));

  const source = await writeSource(tx, planned, files);
  const identities = await createIdentities(tx, planned.plan);
  const resolve = resolver(identities);
  const ids = await writeDetections(tx, { planned, source, put, resolve });
  const references = await enroll(tx, { planned, ids: ids.faces, resolve });
  await keepSuggestions(tx, planned, ids.faces);

  const rows = await tx.detections.byIds([...ids.faces, ...ids.objects]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const written: WrittenImage = {
    source,
    faces: ids.faces.map((id) => byId.get(id)!),
    objects: ids.objects.map((id) => byId.get(id)!),
    identities,
    references,
  };
  await tx.emit(...eventsOfImage(planned, written));
  return written;
}

type Resolve = (identity: PlannedIdentity) => number;

/** Ids of identities that may just have been created. */
function resolver(created: readonly Identity[]): Resolve {
  const ids = new Map(created.map((identity) => [identityKey(identity), identity.id]));
  return (identity) => (typeof identity === 'number' ? identity : ids.get(identityKey(identity))!);
}

function resolved({ identity, ...decision }: PlannedDecision, resolve: Resolve): ResolvedDecision {
  return { ...decision, identityId: identity === null ? null : resolve(identity) };
}

async function writeSource(
  tx: Transaction,
  { run, state }: PlannedImage,
  files: ImageFiles,
): Promise<SourceImage> {
  const { source } = state;
  if (source === null) return tx.sources.insert(newSource(run, files));
  if (run.externalRef === null || run.externalRef === source.externalRef) return source;
  await tx.sources.setExternalRef(source, run.externalRef);
  return { ...source, externalRef: run.externalRef };
}

async function createIdentities(tx: Transaction, plan: ImagePlan): Promise<readonly Identity[]> {
  return plan.created.length > 0 ? tx.identities.insert(plan.created) : [];
}

interface Writing {
  readonly planned: PlannedImage;
  readonly source: SourceImage;
  readonly put: ReadonlyMap<FileName, PutFile>;
  readonly resolve: Resolve;
}

interface FoundIds {
  readonly faces: readonly number[];
  readonly objects: readonly number[];
}

/** New ones first: those that go hand down their rejections. */
async function writeDetections(tx: Transaction, writing: Writing): Promise<FoundIds> {
  const { plan } = writing.planned;
  if (plan.revoked.length > 0) await tx.references.revoke(plan.revoked);
  for (const id of plan.uncovered) await tx.identities.setCover(id, null);
  const ids = await insertNew(tx, writing);
  await inherit(tx, plan, ids.faces);
  if (plan.removed.length > 0) await tx.detections.delete(plan.removed);
  await decideStored(tx, writing);
  await addEmbeddings(tx, writing.planned);
  await forgetRejection(tx, writing, ids.faces);
  return ids;
}

async function insertNew(tx: Transaction, writing: Writing): Promise<FoundIds> {
  const faces = newFaces(writing);
  const objects = newObjects(writing);
  const fresh = [...faces, ...objects].filter((detection) => detection !== null);
  const ids = fresh.length > 0 ? [...(await tx.detections.insert(writing.source, fresh))] : [];
  const { plan } = writing.planned;
  return {
    faces: plan.faces.map(({ stored }) => stored?.id ?? ids.shift()!),
    objects: plan.objects.map(({ stored }) => stored?.id ?? ids.shift()!),
  };
}

function newFaces({ planned, put, resolve }: Writing): (NewDetection | null)[] {
  const { run, plan } = planned;
  return plan.faces.map(({ stored, decision }, i) => {
    if (stored !== null) return null;
    const kept = { crop: put.get(`face ${i}`)!, modelId: run.models.faces!.id };
    return newFace(run.analysis.faces!.items[i]!, resolved(decision!, resolve), kept);
  });
}

function newObjects({ planned, put, resolve }: Writing): (NewDetection | null)[] {
  const { run, plan } = planned;
  return plan.objects.map(({ stored, identity }, i) => {
    if (stored !== null) return null;
    const crop = put.get(`object ${i}`)!;
    return newObject(run.analysis.objects!.items[i]!, resolve(identity), crop);
  });
}

async function inherit(
  tx: Transaction,
  plan: ImagePlan,
  faceIds: readonly number[],
): Promise<void> {
  const heirs = plan.faces.flatMap(({ heirOf }, i) =>
    heirOf === null ? [] : [{ from: heirOf.id, to: faceIds[i]! }],
  );
  if (heirs.length > 0) await tx.detections.inheritRejections(heirs);
}

async function decideStored(tx: Transaction, { planned, resolve }: Writing): Promise<void> {
  for (const { stored, decision } of planned.plan.faces) {
    if (stored !== null && decision !== null) {
      await tx.detections.decide(stored, resolved(decision, resolve));
    }
  }
}

async function addEmbeddings(tx: Transaction, { run, plan }: PlannedImage): Promise<void> {
  const embeddings = plan.faces.flatMap(({ stored, addsEmbedding }, i) =>
    addsEmbedding
      ? [{ detectionId: stored!.id, vector: run.analysis.faces!.items[i]!.embedding! }]
      : [],
  );
  if (embeddings.length > 0) await tx.detections.addEmbeddings(run.models.faces!.id, embeddings);
}

/** Whoever a person says that a face is can be suggested for it again. */
async function forgetRejection(
  tx: Transaction,
  { planned, resolve }: Writing,
  faceIds: readonly number[],
): Promise<void> {
  const { run, state, plan } = planned;
  for (const [i, { decision, stored, heirOf }] of plan.faces.entries()) {
    const rejected = state.rejections.get((stored ?? heirOf)?.id ?? 0);
    if (run.named === null || decision?.decidedBy !== 'human' || rejected === undefined) continue;
    const identityId = resolve(decision.identity!);
    await tx.detections.forgetRejection({ detectionId: faceIds[i]!, identityId });
  }
}

async function enroll(
  tx: Transaction,
  { planned, ids, resolve }: Pick<Writing, 'planned' | 'resolve'> & { ids: readonly number[] },
): Promise<readonly ReferenceLink[]> {
  const known = new Set(planned.state.references.map(({ id }) => id));
  const links = planned.plan.faces.flatMap(({ enrollment }, i) => {
    if (enrollment === null) return [];
    const identityId = resolve(enrollment.identity);
    return enrollment.modelIds.map((modelId) => ({ detectionId: ids[i]!, identityId, modelId }));
  });
  const references = links.length > 0 ? await tx.references.enroll(links) : [];
  return references.filter(({ id }) => !known.has(id));
}

async function keepSuggestions(
  tx: Transaction,
  { run, plan }: PlannedImage,
  faceIds: readonly number[],
): Promise<void> {
  const decided = plan.faces.flatMap(({ stored, suggestions }, i) =>
    suggestions === null || (stored === null && suggestions.length === 0)
      ? []
      : [{ detectionId: faceIds[i]!, candidates: suggestions }],
  );
  if (decided.length > 0) await tx.suggestions.replace(run.models.faces!.id, decided);
}
