import type { Database, Settle, Transaction } from '../database/database.ts';
import { settleAlone } from '../database/settle-alone.ts';
import { identityDeleted } from '../events/identity-events.ts';
import { discardFiles } from '../media/discard-files.ts';
import type { MediaStore } from '../media/media-store.ts';
import { ChangedSince, NotUndoable } from '../operations/operation-errors.ts';
import type { Operation, Subject } from '../operations/operation.ts';
import { NotFound } from '../store/not-found.ts';
import type { Scope } from '../store/scope.ts';
import { announceUndo } from './announce-undo.ts';
import { finishDeletion } from './delete-identity.ts';
import { finishMerge } from './finish-merge.ts';
import {
  groupItems,
  identitiesBefore,
  planUndo,
  type SkippedSubject,
  type UndoPlan,
} from './plan-undo.ts';
import { removeDetections } from './remove-detections.ts';

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
  readonly mayUndo: (operation: Operation) => void;
}

export interface UndoneOperation {
  /** The operation that the undo is; null if nothing was undone. */
  readonly operationId: number | null;
  readonly undone: number;
  readonly skipped: readonly SkippedSubject[];
}

/**
 * Takes an operation back, in transactions of up to 500 records, or in one if it is strict. A record is skipped if it was
 * changed again since. An operation that was taken back already stays as it is. The undo is an operation itself.
 *
 * @throws the errors of `mayUndo`; NotFound, NotUndoable, ChangedSince, IdentityExists, StoreUnavailable
 */
export async function undoOperation(
  deps: UndoDeps,
  request: UndoRequest,
  options: { readonly signal?: AbortSignal; readonly settle?: Settle<UndoneOperation> } = {},
): Promise<UndoneOperation> {
  const { scope, id, isStrict } = request;
  const operation = await findOperation(deps.database, request, options.signal);
  request.mayUndo(operation);
  scope.operation?.takesBack(id);
  const progress: Progress = { undone: 0, skipped: [], created: [] };
  if (operation.undoneBy === null) {
    requireKept(operation);
    await finishDeletions(deps, { scope, id });
    const limit = isStrict ? Math.max(operation.count, 1) : CHUNK;
    for (let after: Subject | null = null, isLast = false; !isLast;) {
      const step = await undoPage(deps, request, { operation, after, limit, progress });
      ({ after, isLast } = step);
    }
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

async function findOperation(
  database: Database,
  { scope, id }: UndoRequest,
  signal: AbortSignal | undefined,
): Promise<Operation> {
  const operation = await database.withScope(
    scope,
    ({ operations }) => operations.byId(id),
    signal,
  );
  if (operation === null) throw new NotFound('operation', id);
  return operation;
}

/** @throws NotUndoable */
function requireKept({ id, isKept, expiresAt }: Operation): void {
  if (!isKept || expiresAt.getTime() <= Date.now()) throw new NotUndoable(id);
}

/** Lets the deletions and merges end whose rows other transactions still move. */
async function finishDeletions(
  deps: UndoDeps,
  { scope, id }: Pick<UndoRequest, 'scope' | 'id'>,
): Promise<void> {
  const { environmentId } = scope;
  const unfinished = await deps.database.withScope(scope, ({ operations }) =>
    operations.unfinished(id),
  );
  for (const { id: from, mergedInto: into } of unfinished) {
    if (into === null) await finishDeletion(deps, { scope: { environmentId }, id: from });
    else await finishMerge(deps, { scope: { environmentId }, merge: { from, into } });
  }
}

interface UndoStep {
  readonly operation: Operation;
  readonly after: Subject | null;
  readonly limit: number;
  readonly progress: Progress;
}

async function undoPage(
  deps: UndoDeps,
  request: UndoRequest,
  { operation, after, limit, progress }: UndoStep,
): Promise<{ readonly after: Subject | null; readonly isLast: boolean }> {
  const { scope } = request;
  const step = await deps.database.withEntities(
    { ...scope, locks: [{ entity: 'environment' }] },
    async (tx) => {
      const { items: subjects, hasMore } = await tx.operations.subjects(operation.id, {
        after,
        limit,
      });
      const { plan, files } = await undoSubjects(tx, request, subjects);
      const created = [...progress.created, ...plan.removes.identities];
      const kept = hasMore ? [] : await removeIdentities(tx, created);
      if (request.isStrict) requireWhole([...plan.skipped, ...kept]);
      const undone = plan.restored.length + plan.removes.detections.length;
      const removed = hasMore ? 0 : created.length - kept.length;
      if (!hasMore && progress.undone + undone + removed > 0) {
        await tx.operations.markUndone(operation);
        await tx.audit({ entity: 'operation', action: 'undo', ids: [operation.id] });
      }
      return {
        files,
        after: subjects.at(-1) ?? null,
        isLast: !hasMore,
        skipped: [...plan.skipped, ...kept],
        undone: undone + removed,
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
    await tx.references.exchange(revokes, enrolls);
    await announceUndo(tx, plan);
    await tx.operations.markReverted(id, restored);
  }
  const created = await tx.detections.byIds(removes.detections);
  const { files } = await removeDetections(tx, created);
  if (created.length > 0) {
    await tx.operations.markReverted(
      id,
      created.map((detection) => ({ kind: 'detection', id: detection.id })),
    );
  }
  return { plan, files };
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

/** Removes identities without detections. The others have gained something, and are returned. */
async function removeIdentities(
  tx: Transaction,
  ids: readonly number[],
): Promise<readonly SkippedSubject[]> {
  const kept: SkippedSubject[] = [];
  for (const id of ids) {
    const isUsed = (await tx.detections.ofIdentity(id, 1)).length > 0;
    if (isUsed) {
      kept.push({ kind: 'identity', id, code: 'changed_since' });
      continue;
    }
    await tx.emit(identityDeleted(id));
    await tx.identities.delete(id);
  }
  return kept;
}
