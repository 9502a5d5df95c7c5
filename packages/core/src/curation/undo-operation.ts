import type { Database, Settle, Transaction } from '../database/database.ts';
import { settleAlone } from '../database/settle-alone.ts';
import { identityDeleted } from '../events/identity-events.ts';
import { discardFiles } from '../media/discard-files.ts';
import type { MediaStore } from '../media/media-store.ts';
import { ChangedSince } from '../operations/operation-errors.ts';
import type { Operation, Subject } from '../operations/operation.ts';
import type { NewReference } from '../references/reference.ts';
import type { Scope } from '../store/scope.ts';
import { announceUndo } from './announce-undo.ts';
import { finishOne } from './finish-deletions.ts';
import {
  groupItems,
  identitiesBefore,
  planUndo,
  type SkippedSubject,
  type UndoPlan,
} from './plan-undo.ts';
import { removeDetections } from './remove-detections.ts';
import { findUndoable, requireUndoable } from './find-undoable.ts';

/** The number of detections, identities and images of one transaction. Other writers of the environment wait for it. */
const CHUNK = 500;

export interface UndoDeps {
  readonly database: Database;
  readonly media: Pick<MediaStore, 'remove'>;
}

export interface UndoRequest {
  readonly scope: Scope;
  readonly id: number;
  /** Whether nothing is undone if a record was changed again since. */
  readonly isStrict: boolean;
  /** The label of the identity that returns, if its own is in use; null for its own. */
  readonly label: string | null;
  /** @throws Forbidden if the caller may not take this operation back */
  readonly mayUndo?: (operation: Operation) => void;
}

export interface UndoOptions {
  readonly signal?: AbortSignal;
  readonly settle?: Settle<UndoneOperation> | undefined;
  /** A step of the transaction of each page, with the numbers so far. */
  readonly advance?: (tx: Transaction, progress: UndoProgress) => Promise<void>;
  /** The number of records that this undo took back before its process died. */
  readonly undone?: number;
}

export interface UndoProgress {
  readonly undone: number;
  readonly skipped: number;
  /** The number of records of the operation. */
  readonly total: number;
}

export interface UndoneOperation {
  /** The operation that the undo is; null if nothing was undone. */
  readonly operationId: number | null;
  readonly undone: number;
  readonly skipped: readonly SkippedSubject[];
}

/**
 * Takes an operation back, in transactions of up to 500 records, or in one if it is strict. A record is skipped if it was
 * changed again since. What was taken back already stays as it is. The undo is an operation itself.
 *
 * @throws the errors of `mayUndo`; NotFound, NotUndoable, OperationTooLarge, JobUnfinished, ChangedSince, IdentityExists,
 *   StoreUnavailable; the signal's reason on abort, between two transactions
 */
export async function undoOperation(
  deps: UndoDeps,
  request: UndoRequest,
  options: UndoOptions = {},
): Promise<UndoneOperation> {
  const { scope, id } = request;
  await findUndoable(deps.database, request, options.signal);
  scope.operation?.takesBack(id);
  const progress: Progress = { undone: options.undone ?? 0, skipped: [], created: [] };
  for (const deleting of await unfinishedOf(deps.database, request))
    await finishOne(deps, deleting);
  for (let after: Subject | null = null, isLast = false; !isLast;) {
    options.signal?.throwIfAborted();
    const step = await undoPage(deps, request, { after, progress, advance: options.advance });
    ({ after, isLast } = step);
  }
  const operationId = progress.undone > 0 ? (scope.operation?.id ?? null) : null;
  const result = { operationId, undone: progress.undone, skipped: progress.skipped };
  await settleAlone(deps.database, { scope, result }, options);
  return result;
}

interface Progress {
  undone: number;
  skipped: SkippedSubject[];
  /** The ids of identities that the operation created. They disappear last, when their detections have left. */
  created: number[];
}

/** The deletions and merges of the operation whose rows other transactions still move. */
function unfinishedOf(database: Database, { scope, id }: UndoRequest) {
  return database.withScope(scope, ({ operations }) => operations.unfinished(id));
}

interface UndoStep {
  readonly after: Subject | null;
  readonly progress: Progress;
  readonly advance: UndoOptions['advance'];
}

async function undoPage(
  deps: UndoDeps,
  request: UndoRequest,
  { after, progress, advance }: UndoStep,
): Promise<{ readonly after: Subject | null; readonly isLast: boolean }> {
  const { scope, id, isStrict } = request;
  const step = await deps.database.withEntities(
    { ...scope, locks: [{ entity: 'environment' }] },
    async (tx) => {
      // The values may have expired since, and the operation may have taken another step.
      const operation = requireUndoable(await tx.operations.lock(id), id);
      const limit = isStrict ? Math.max(operation.count, 1) : CHUNK;
      const page = { after, limit };
      const { items: subjects, hasMore } = await tx.operations.subjects(id, page);
      const { plan, files } = await undoSubjects(tx, request, subjects);
      const created = [...progress.created, ...plan.removes.identities];
      const { kept, removed } = hasMore ? NOT_YET : await removeIdentities(tx, id, created);
      if (isStrict) requireWhole([...plan.skipped, ...kept]);
      const undone = plan.restored.length + plan.removes.detections.length + removed;
      if (!hasMore && progress.undone + undone > 0) {
        await tx.operations.markUndone(operation);
        await tx.audit({ entity: 'operation', action: 'undo', ids: [id] });
      }
      await advance?.(tx, {
        undone: progress.undone + undone,
        skipped: progress.skipped.length + plan.skipped.length + kept.length,
        total: operation.count,
      });
      return {
        files,
        after: subjects.at(-1) ?? null,
        isLast: !hasMore,
        skipped: [...plan.skipped, ...kept],
        undone,
        created,
      };
    },
  );
  await discardFiles(deps.media, step.files);
  progress.undone += step.undone;
  progress.skipped.push(...step.skipped);
  progress.created = step.created;
  return step;
}

/** @throws ChangedSince */
function requireWhole(skipped: readonly SkippedSubject[]): void {
  if (skipped.length > 0) throw new ChangedSince(skipped.length);
}

async function undoSubjects(
  tx: Transaction,
  { id, label }: UndoRequest,
  subjects: readonly Subject[],
): Promise<{ readonly plan: UndoPlan; readonly files: readonly string[] }> {
  const changed = groupItems(await tx.operations.items(id, subjects));
  const needed = [...new Set(changed.flatMap(identitiesBefore))];
  const found = await tx.identities.byIds(needed);
  const plan = planUndo(changed, new Map(found.map((identity) => [identity.id, identity])));
  const { restored, revokes, enrolls, removes } = plan;
  if (restored.length > 0) {
    await tx.identities.dropCovers(coversOf(plan));
    await tx.operations.restore({ operationId: id, subjects: restored, label });
    const embedded = await withVectors(tx, enrolls);
    await tx.references.exchange(revokes, embedded);
    await announceUndo(tx, { restored, revokes, enrolls: embedded });
    await tx.operations.markReverted(id, restored);
  }
  const created = await tx.detections.byIds(removes.detections);
  const { files } = await removeDetections(tx, created);
  const gone: Subject[] = [
    ...removes.detections.map((detection) => ({ kind: 'detection' as const, id: detection })),
    ...removes.images.map((image) => ({ kind: 'image' as const, id: image })),
  ];
  await tx.operations.markReverted(id, gone);
  return { plan, files };
}

/** References of models that are still there. A model may have been deleted with its last vectors. */
async function withVectors(
  tx: Transaction,
  references: readonly NewReference[],
): Promise<readonly NewReference[]> {
  const kept: NewReference[] = [];
  for (const modelId of new Set(references.map((reference) => reference.modelId))) {
    const own = references.filter((reference) => reference.modelId === modelId);
    const ids = own.map(({ detectionId }) => detectionId);
    const embedded = new Set(await tx.gallery.embedded(modelId, ids));
    kept.push(...own.filter(({ detectionId }) => embedded.has(detectionId)));
  }
  return kept;
}

/** The detections that leave the identities whose covers they may be. */
function coversOf({ restored }: UndoPlan) {
  return restored.flatMap(({ kind, id, items }) => {
    const row = items.find(({ part }) => part === 'row');
    const identityId = row?.after?.identity_id;
    const isLeft = kind === 'detection' && identityId !== row?.before?.identity_id;
    return isLeft && typeof identityId === 'number' ? [{ identityId, detectionId: id }] : [];
  });
}

const NOT_YET = { kept: [] as readonly SkippedSubject[], removed: 0 };

/** Removes identities that the operation created and that have gained nothing. The others are returned. */
async function removeIdentities(
  tx: Transaction,
  operationId: number,
  ids: readonly number[],
): Promise<{ readonly kept: readonly SkippedSubject[]; readonly removed: number }> {
  const kept: SkippedSubject[] = [];
  let removed = 0;
  for (const id of ids) {
    const identity = await tx.identities.byId(id);
    if (identity === null) continue;
    const isUsed = (await tx.detections.ofIdentity(id, 1)).length > 0;
    if (isUsed || (await tx.identities.mergingInto(id)).length > 0) {
      kept.push({ kind: 'identity', id, code: 'changed_since' });
      continue;
    }
    // The event names the operation of the undo, which may begin with this deletion.
    await tx.identities.delete(id);
    await tx.emit(identityDeleted(id, identity.externalRef));
    await tx.operations.markReverted(operationId, [{ kind: 'identity', id }]);
    removed++;
  }
  return { kept, removed };
}
