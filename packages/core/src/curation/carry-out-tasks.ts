import type { Database, Transaction } from '../database/database.ts';
import type { DetectionType } from '../detection-type.ts';
import { DomainError } from '../domain-error.ts';
import type { DomainEvent } from '../events/domain-event.ts';
import { identityCreated } from '../events/identity-events.ts';
import type { Identity, NewIdentity } from '../identities/identity.ts';
import type { IdentityReader } from '../identities/identity-store.ts';
import { identityKey } from '../identities/identity-key.ts';
import { requireAssignable } from '../identities/require-assignable.ts';
import type { DecidedDetection, FaceRecord } from '../references/face-record.ts';
import type { ReferenceLink } from '../references/reference.ts';
import type { EntityLock } from '../store/entity-lock.ts';
import { NotFound } from '../store/not-found.ts';
import type { Scope } from '../store/scope.ts';
import { type ChangedFace, type PlannedChange, changeFaces } from './change-faces.ts';
import { type Condition, LeftOut } from './condition.ts';
import type { ModelsToEnrollFor } from './enrollment-models.ts';
import type { ExpectedTask } from './expect-faces.ts';
import {
  auditedAction,
  type FaceAction,
  type FaceRow,
  planFaceAction,
  requirePossible,
} from './face-action.ts';
import { type FaceTask, imageLock, locksOfTask } from './face-task.ts';

export interface CarryOutRequest extends ModelsToEnrollFor {
  readonly scope: Scope;
  readonly action: FaceAction;
  /** The tasks, about distinct detections. */
  readonly tasks: readonly ExpectedTask[];
  /** Detections that do not meet it are refused with LeftOut. */
  readonly condition?: Condition | undefined;
}

export interface ActedFace {
  /** The detection before the task. */
  readonly detection: DecidedDetection;
  /** The fields of the detection that decisions change, with their values after the task. */
  readonly row: FaceRow;
  /** The identity that the task names; null if it names none. */
  readonly identity: Identity | null;
  /** Whether the transaction created the identity. */
  readonly isNewIdentity: boolean;
  /** The face's reference for the active model; null if the face has none, or the task adds none. */
  readonly reference: ReferenceLink | null;
  readonly revoked: readonly ReferenceLink[];
}

/** The changed face, or the error of a refused task, which changed nothing. */
export type TaskOutcome = { readonly acted: ActedFace } | { readonly error: DomainError };

/**
 * Carries out tasks in one transaction. The outcomes, the created identities and the events are in the order of the
 * tasks. The transaction takes the locks that the expected rows suggest; if the rows have changed and it needs other
 * locks, it restarts.
 *
 * @param options.settle the last step of the transaction; its error undoes all tasks
 * @throws InferenceUnavailable if the model is not the active one anymore; StoreUnavailable; the errors of `settle`
 */
export async function carryOutTasks(
  database: Database,
  request: CarryOutRequest,
  options: {
    readonly signal?: AbortSignal | undefined;
    readonly settle?: (tx: Transaction, outcomes: readonly TaskOutcome[]) => Promise<void>;
  } = {},
): Promise<readonly TaskOutcome[]> {
  const { scope, action, tasks, modelId } = request;
  const images: EntityLock[] = [];
  const locks: EntityLock[] = modelId === null ? [] : [{ entity: 'models' }];
  for (const { task, expected } of tasks) {
    if (expected === undefined) continue;
    images.push(imageLock(expected.face));
    locks.push(...locksOfTask(action, task, expected));
  }
  return database.withEntities(
    { ...scope, locks: [...images, ...locks] },
    async (tx) => {
      tx.require(...images);
      const checked = await checkTasks(tx, request);
      const acted = await act(tx, checked.filter(isPossible), request);
      const outcomes = checked.map((one): TaskOutcome =>
        isPossible(one) ? { acted: acted.get(one.task.id)! } : one,
      );
      await audit(tx, action, acted);
      await options.settle?.(tx, outcomes);
      return outcomes;
    },
    options.signal,
  );
}

/** Records the decision about all faces of the transaction. */
async function audit(
  tx: Transaction,
  action: FaceAction,
  acted: ReadonlyMap<number, ActedFace>,
): Promise<void> {
  if (acted.size === 0) return;
  const identities = [...acted.values()].flatMap(({ identity }) => identity?.id ?? []);
  const details = identities.length === 0 ? {} : { identity_ids: [...new Set(identities)] };
  const ids = [...acted.keys()];
  await tx.audit({ entity: 'detection', action: auditedAction(action), ids, details });
}

/** A task that the stored rows allow. */
interface PossibleTask {
  readonly task: FaceTask;
  readonly face: FaceRecord;
  /** The identity that the task names; null if it names none, or one that does not exist yet. */
  readonly known: Identity | null;
  /** The identity that the task creates; null if it creates none. */
  readonly missing: NewIdentity | null;
}

type CheckedTask = PossibleTask | { readonly error: DomainError };

function isPossible(checked: CheckedTask): checked is PossibleTask {
  return !('error' in checked);
}

/** Reads the rows of the tasks, and requires all locks of those that are possible. */
async function checkTasks(
  tx: Transaction,
  { action, tasks, modelId, condition }: CarryOutRequest,
): Promise<readonly CheckedTask[]> {
  const ids = tasks.flatMap(({ task, expected }) => (expected === undefined ? [] : task.id));
  const [records, targets, meant] = await Promise.all([
    tx.faceRecords.byIds(ids, modelId),
    findTargets(tx, tasks),
    condition === undefined ? null : condition(tx, ids),
    modelId === null ? null : tx.requireActive(modelId),
  ]);
  const allowed = meant && new Set(meant);
  const faces = new Map(records.map((face) => [face.detection.id, face]));
  const checked = tasks.map(({ task }): CheckedTask => {
    try {
      if (allowed?.has(task.id) === false) throw new LeftOut(task.id);
      return checkTask(action, task, { face: faces.get(task.id), targets });
    } catch (error) {
      if (error instanceof DomainError) return { error };
      throw error;
    }
  });
  tx.require(
    ...checked
      .filter(isPossible)
      .flatMap(({ task, face, known }) =>
        locksOfTask(action, task, { face, targetId: known?.id ?? null }),
      ),
  );
  return checked;
}

function checkTask(
  action: FaceAction,
  task: FaceTask,
  { face, targets }: { readonly face: FaceRecord | undefined; readonly targets: Targets },
): PossibleTask {
  const { id, target } = task;
  if (face === undefined) throw new NotFound('detection', id);
  requirePossible(action, face);
  if (target === null) return { task, face, known: null, missing: null };
  const { type } = face.detection;
  if ('identityId' in target) {
    const found = targets.byId.get(target.identityId) ?? null;
    const known = requireAssignable(found, { id: target.identityId, type });
    return { task, face, known, missing: null };
  }
  const named = { type, label: target.label, externalRef: null };
  const known = targets.byLabel.get(identityKey(named)) ?? null;
  return { task, face, known, missing: known === null ? named : null };
}

/** The existing identities that tasks name, by id, and by type and label. */
interface Targets {
  readonly byId: ReadonlyMap<number, Identity>;
  readonly byLabel: ReadonlyMap<string, Identity>;
}

async function findTargets(
  { identities }: Transaction,
  tasks: readonly ExpectedTask[],
): Promise<Targets> {
  const ids = new Set<number>();
  const labels = { face: new Set<string>(), object: new Set<string>() };
  for (const { task, expected } of tasks) {
    if (task.target === null || expected === undefined) continue;
    if ('identityId' in task.target) ids.add(task.target.identityId);
    else labels[expected.face.detection.type].add(task.target.label);
  }
  const withLabels = (type: DetectionType) =>
    labels[type].size > 0 ? identities.byLabels(type, [...labels[type]]) : [];
  const [byId, faces, objects] = await Promise.all([
    withIds(identities, [...ids]),
    withLabels('face'),
    withLabels('object'),
  ]);
  return {
    byId: new Map(byId.map((found) => [found.id, found])),
    byLabel: new Map([...faces, ...objects].map((found) => [identityKey(found), found])),
  };
}

/** Reads a single identity, which most requests name, with its prepared statement. */
async function withIds(
  identities: IdentityReader,
  ids: readonly number[],
): Promise<readonly Identity[]> {
  if (ids.length > 1) return identities.byIds(ids);
  const found = await Promise.all(ids.map((id) => identities.byId(id)));
  return found.filter((identity) => identity !== null);
}

/** Changes the faces, and returns them by the ids of their detections. */
async function act(
  tx: Transaction,
  possible: readonly PossibleTask[],
  { action, modelId, pendingId }: CarryOutRequest,
): Promise<ReadonlyMap<number, ActedFace>> {
  if (possible.length === 0) return new Map();
  const created = await createMissing(tx, possible);
  const planned = possible.map(({ face, known, missing }) => {
    const identity = missing === null ? known : created.get(identityKey(missing))!;
    const change = planFaceAction(action, { ...face, modelId }, identity?.id ?? null);
    return { face, identity, change };
  });
  const changed = await changeFaces(tx, planned);
  await tx.emit(...eventsOf(planned, changed, created));
  if (pendingId !== null) {
    const added = changed.flatMap((face) => face.added);
    await enrollForPending(tx, added, { modelId, pendingId });
  }
  return new Map(
    planned.map((one, i) => {
      const { identity } = one;
      const isNewIdentity = identity !== null && created.get(identityKey(identity)) === identity;
      return [one.face.detection.id, { ...toActed(one, changed[i]!, modelId), isNewIdentity }];
    }),
  );
}

/** Creates the missing identities, in the order of the tasks that name them first. */
async function createMissing(
  tx: Transaction,
  possible: readonly PossibleTask[],
): Promise<ReadonlyMap<string, Identity>> {
  const missing = new Map<string, NewIdentity>();
  for (const one of possible) {
    if (one.missing !== null) missing.set(identityKey(one.missing), one.missing);
  }
  if (missing.size === 0) return new Map();
  const created = await tx.identities.insert([...missing.values()]);
  const ids = created.map(({ id }) => id);
  await tx.audit({ entity: 'identity', action: 'create', ids });
  return new Map(created.map((identity) => [identityKey(identity), identity]));
}

interface PlannedFace extends PlannedChange {
  readonly identity: Identity | null;
}

/** Each created identity is announced before the first face that is assigned to it. */
function eventsOf(
  planned: readonly PlannedFace[],
  changed: readonly ChangedFace[],
  created: ReadonlyMap<string, Identity>,
): readonly DomainEvent[] {
  const unannounced = new Set(created.values());
  return planned.flatMap(({ identity }, i) => {
    const { events } = changed[i]!;
    return identity !== null && unannounced.delete(identity)
      ? [identityCreated(identity), ...events]
      : events;
  });
}

function toActed(
  { face, identity, change }: PlannedFace,
  { added }: ChangedFace,
  modelId: number | null,
): Omit<ActedFace, 'isNewIdentity'> {
  const kept = face.references.filter((reference) => !change.revokes.includes(reference));
  return {
    detection: face.detection,
    row: change.row,
    identity,
    reference: [...kept, ...added].find((reference) => reference.modelId === modelId) ?? null,
    revoked: change.revokes,
  };
}

/**
 * Also enrolls the faces for the pending model if they have that model's embedding, so that the activation can skip
 * them. No event is emitted, because activations do not announce the references that they add, either.
 */
async function enrollForPending(
  tx: Transaction,
  added: readonly ReferenceLink[],
  { modelId, pendingId }: { readonly modelId: number | null; readonly pendingId: number },
): Promise<void> {
  const active = added.filter((reference) => reference.modelId === modelId);
  if (active.length === 0) return;
  const ids = active.map(({ detectionId }) => detectionId);
  const embedded = new Set(await tx.gallery.embedded(pendingId, ids));
  await tx.references.enroll(
    active.flatMap(({ detectionId, identityId }) =>
      embedded.has(detectionId) ? [{ detectionId, identityId, modelId: pendingId }] : [],
    ),
  );
}
