import type { Database, Settle, Transaction } from '../database/database.ts';
import { identityMerged } from '../events/identity-events.ts';
import type { Identity } from '../identities/identity.ts';
import { MergeIntoItself, TypesDiffer } from '../identities/identity-errors.ts';
import type { Merge } from '../identities/merge-store.ts';
import { NotFound } from '../store/not-found.ts';
import type { Scope } from '../store/scope.ts';
import {
  finishMerge,
  locksOfMerge,
  MERGE_START,
  type MergeProgress,
  moveSome,
  startDeletion,
} from './finish-merge.ts';

export interface MergeRequest {
  readonly scope: Scope;
  readonly id: number;
  /** The identity that gets the detections, references, rejections and suggestions. */
  readonly into: number;
}

export interface MergedIdentity {
  readonly mergedInto: number;
  readonly deleted: number;
}

/**
 * Merges an identity (the source) into another one (the target). All detections, references, rejections and
 * suggestions move to the target. The target keeps its label. If it has no cover or no external reference, it gets
 * those of the source.
 *
 * The first transaction emits the events and runs `settle`. After it, readers do not find the source anymore, and see
 * its rows as the target's. Further transactions move the rows; other requests can write between them. An abort only
 * has an effect before the first transaction. After a crash, {@link finishMerge} moves the rest.
 *
 * @throws MergeIntoItself, NotFound, TypesDiffer, StoreUnavailable
 */
export async function mergeIdentity(
  deps: { readonly database: Database },
  { scope, id, into }: MergeRequest,
  options: { readonly signal?: AbortSignal; readonly settle?: Settle<MergedIdentity> } = {},
): Promise<MergedIdentity> {
  if (id === into) throw new MergeIntoItself();
  const merge = { from: id, into };
  const merged = { mergedInto: into, deleted: id };
  const progress = await startDeletion(
    deps,
    {
      scope,
      id,
      locks: locksOfMerge(merge),
      begin: (tx) => begin(tx, merge, () => options.settle?.(tx, merged)),
    },
    options.signal,
  );
  if (progress !== null) await finishMerge(deps, { scope, merge, progress });
  return merged;
}

/**
 * Starts the merge, and moves the first rows. Returns the result of {@link moveSome}.
 *
 * @throws NotFound, TypesDiffer
 */
async function begin(
  tx: Transaction,
  merge: Merge,
  settle: () => Promise<void> | undefined,
): Promise<MergeProgress | null> {
  const [source, target] = await findBoth(tx, merge);
  tx.require({ entity: 'label', type: source.type, label: source.label });
  await tx.emit(identityMerged(merge.from, merge.into));
  await tx.merges.begin(source, target);
  await tx.audit({ entity: 'identity', action: 'merge', ids: [merge.from, merge.into] });
  await settle();
  return moveSome(tx, merge, MERGE_START);
}

/** @throws NotFound, TypesDiffer */
async function findBoth(
  tx: Transaction,
  { from, into }: Merge,
): Promise<readonly [source: Identity, target: Identity]> {
  const found = await tx.identities.byIds([from, into]);
  const source = found.find(({ id }) => id === from);
  const target = found.find(({ id }) => id === into);
  if (source === undefined) throw new NotFound('identity', from);
  if (target === undefined) throw new NotFound('identity', into);
  if (source.type !== target.type) throw new TypesDiffer(source, target);
  return [source, target];
}
