import type { Transaction } from '../../database/database.ts';
import type { Detection, NewDetection } from '../../detections/detection.ts';
import type { Identity } from '../../identities/identity.ts';
import type { ReferenceLink } from '../../references/reference.ts';
import type { SourceImage } from '../../sources/source-image.ts';
import type { ImagePlan, PlannedDecision, PlannedIdentity } from '../plan/image-plan.ts';
import { filesOfPlan, locksOfPlan } from '../plan/plan-image.ts';
import { identityKey } from '../../identities/identity-key.ts';
import type { FileName, ImageFiles, PutFile } from '../run/image-files.ts';
import { eventsOfImage } from './image-events.ts';
import { toImageResult, type ImageResult } from './image-result.ts';
import { newFace, newObject, newSource, type ResolvedDecision } from './new-records.ts';
import { addImported, setCovers } from '../import/write-import.ts';

/**
 * Carries out a plan and announces it.
 *
 * @throws FileNotPut before the first write
 */
export async function writeImage(
  tx: Transaction,
  plan: ImagePlan,
  files: ImageFiles,
): Promise<ImageResult> {
  tx.require(...locksOfPlan(plan));
  const put = new Map(filesOfPlan(plan).map((name) => [name, files.get(name)]));

  const source = await writeSource(tx, plan, files);
  const identities = await createIdentities(tx, plan);
  const resolve = resolver(identities);
  const ids = await writeDetections(tx, { plan, source, put, resolve });
  const kept = keptDetections(plan);
  const written = [...ids.faces, ...ids.objects].filter((id) => !kept.has(id));
  // None of these needs what another changes: they share round trips.
  const [references, rows, covers] = await Promise.all([
    enroll(tx, { plan, resolve }, ids.faces),
    written.length > 0 ? tx.detections.byIds(written) : [],
    setCovers(tx, plan, { ids: [...ids.faces, ...ids.objects], resolve }),
    keepSuggestions(tx, plan, ids.faces),
  ]);
  const byId = new Map([...kept, ...rows.map((row) => [row.id, row] as const)]);
  const result = toImageResult(plan, {
    source,
    faces: ids.faces.map((id) => byId.get(id)!),
    objects: ids.objects.map((id) => byId.get(id)!),
    identities,
    references,
    covers,
  });
  await tx.emit(...eventsOfImage(plan, result));
  return result;
}

/**
 * Stored detections that stay as they are, as the plan found them: their identities are not locked, so
 * that they may have merged or be leaving by now.
 */
function keptDetections({ faces, objects }: ImagePlan): ReadonlyMap<number, Detection> {
  const kept = [...faces, ...objects].filter(({ decision }) => decision === null);
  return new Map(kept.flatMap(({ stored }) => (stored === null ? [] : [[stored.id, stored]])));
}

/** Resolves identities that were just created to their ids. */
type Resolve = (identity: PlannedIdentity) => number;

function resolver(created: readonly Identity[]): Resolve {
  const ids = new Map(created.map((identity) => [identityKey(identity), identity.id]));
  return (identity) => (typeof identity === 'number' ? identity : ids.get(identityKey(identity))!);
}

function resolved({ identity, ...decision }: PlannedDecision, resolve: Resolve): ResolvedDecision {
  return { ...decision, identityId: identity === null ? null : resolve(identity) };
}

async function writeSource(
  tx: Transaction,
  { run, state }: ImagePlan,
  files: ImageFiles,
): Promise<SourceImage> {
  const { source } = state;
  // An image that was not posted is stored: otherwise there is no plan to write.
  if (source === null) return tx.sources.insert(newSource(run, run.posted!, files));
  // An archive adds what is missing; a request replaces what is there.
  const keeps = run.externalRef === null || (run.archived && source.externalRef !== null);
  if (keeps || run.externalRef === source.externalRef) return source;
  await tx.sources.setExternalRef(source, run.externalRef);
  return { ...source, externalRef: run.externalRef };
}

async function createIdentities(tx: Transaction, plan: ImagePlan): Promise<readonly Identity[]> {
  return plan.created.length > 0 ? tx.identities.insert(plan.created) : [];
}

interface Writing {
  readonly plan: ImagePlan;
  readonly source: SourceImage;
  readonly put: ReadonlyMap<FileName, PutFile>;
  readonly resolve: Resolve;
}

interface FoundIds {
  readonly faces: readonly number[];
  readonly objects: readonly number[];
}

/** Inserts first: the new detections inherit the rejections of those that are removed. */
async function writeDetections(tx: Transaction, writing: Writing): Promise<FoundIds> {
  const { plan } = writing;
  if (plan.revoked.length > 0) await tx.references.revoke(plan.revoked);
  for (const id of plan.uncovered) await tx.identities.setCover(id, null);
  const ids = await insertNew(tx, writing);
  await inherit(tx, plan, ids.faces);
  if (plan.removed.length > 0) await tx.detections.delete(plan.removed);
  await decideStored(tx, writing);
  await addEmbeddings(tx, plan);
  await addImported(tx, [...plan.faces, ...plan.objects], {
    ids: [...ids.faces, ...ids.objects],
    resolve: writing.resolve,
  });
  await forgetRejection(tx, writing, ids.faces);
  return ids;
}

async function insertNew(tx: Transaction, writing: Writing): Promise<FoundIds> {
  const faces = newFaces(writing);
  const objects = newObjects(writing);
  const fresh = [...faces, ...objects].filter((detection) => detection !== null);
  const ids = fresh.length > 0 ? [...(await tx.detections.insert(writing.source, fresh))] : [];
  const { plan } = writing;
  return {
    faces: plan.faces.map(({ stored }) => stored?.id ?? ids.shift()!),
    objects: plan.objects.map(({ stored }) => stored?.id ?? ids.shift()!),
  };
}

function newFaces({ plan, put, resolve }: Writing): (NewDetection | null)[] {
  const { run, faces } = plan;
  return faces.map(({ stored, decision }, i) => {
    if (stored !== null) return null;
    const crop = put.get(`face ${i}`)!;
    return newFace(run.analysis.faces!.items[i]!, resolved(decision!, resolve), { run, crop });
  });
}

function newObjects({ plan, put, resolve }: Writing): (NewDetection | null)[] {
  const { run, objects } = plan;
  return objects.map(({ stored, decision }, i) => {
    if (stored !== null) return null;
    const crop = put.get(`object ${i}`)!;
    return newObject(run.analysis.objects!.items[i]!, resolved(decision!, resolve), { run, crop });
  });
}

async function inherit(
  tx: Transaction,
  plan: ImagePlan,
  faceIds: readonly number[],
): Promise<void> {
  const replacements = plan.faces.flatMap(({ replaces }, i) =>
    replaces === null ? [] : [{ from: replaces.id, to: faceIds[i]! }],
  );
  if (replacements.length > 0) await tx.detections.inheritRejections(replacements);
}

async function decideStored(tx: Transaction, { plan, resolve }: Writing): Promise<void> {
  for (const { stored, decision } of [...plan.faces, ...plan.objects]) {
    if (stored !== null && decision !== null) {
      await tx.detections.decide(stored, resolved(decision, resolve));
    }
  }
}

async function addEmbeddings(tx: Transaction, { run, faces }: ImagePlan): Promise<void> {
  const embeddings = faces.flatMap(({ stored, addsEmbedding }, i) =>
    addsEmbedding
      ? [{ detectionId: stored!.id, vector: run.analysis.faces!.items[i]!.embedding! }]
      : [],
  );
  if (embeddings.length > 0) await tx.detections.addEmbeddings(run.models.faces!.id, embeddings);
}

/** The identity that a caller names for a face may be suggested for it again. */
async function forgetRejection(
  tx: Transaction,
  { plan, resolve }: Writing,
  faceIds: readonly number[],
): Promise<void> {
  const { run, state, faces } = plan;
  for (const [i, { decision, stored, replaces }] of faces.entries()) {
    const rejected = state.rejections.get((stored ?? replaces)?.id ?? 0);
    if (run.named === null || decision?.decidedBy !== 'human' || rejected === undefined) continue;
    const identityId = resolve(decision.identity!);
    await tx.detections.forgetRejection({ detectionId: faceIds[i]!, identityId });
  }
}

async function enroll(
  tx: Transaction,
  { plan, resolve }: Pick<Writing, 'plan' | 'resolve'>,
  faceIds: readonly number[],
): Promise<readonly ReferenceLink[]> {
  const known = new Set(plan.state.references.map(({ id }) => id));
  const links = plan.faces.flatMap(({ enrollment }, i) => {
    if (enrollment === null) return [];
    const { identity, modelIds, since } = enrollment;
    const link = { detectionId: faceIds[i]!, identityId: resolve(identity) };
    return modelIds.map((modelId) => ({ ...link, modelId, createdAt: since?.get(modelId) }));
  });
  const references = links.length > 0 ? await tx.references.enroll(links) : [];
  return references.filter(({ id }) => !known.has(id));
}

async function keepSuggestions(
  tx: Transaction,
  { run, faces }: ImagePlan,
  faceIds: readonly number[],
): Promise<void> {
  const decided = faces.flatMap(({ stored, suggestions }, i) =>
    suggestions === null || (stored === null && suggestions.length === 0)
      ? []
      : [{ detectionId: faceIds[i]!, candidates: suggestions }],
  );
  if (decided.length > 0) await tx.suggestions.replace(run.models.faces!.id, decided);
}
