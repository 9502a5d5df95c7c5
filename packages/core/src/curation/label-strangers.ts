import { requireIdentity } from '../database/require-identity.ts';
import type { Settle, Stores } from '../database/database.ts';
import { settleAlone } from '../database/settle-alone.ts';
import type { DomainError } from '../domain-error.ts';
import type { Identity } from '../identities/identity.ts';
import { requireAssignable } from '../identities/require-assignable.ts';
import type { Scope } from '../store/scope.ts';
import type { ActOnFaceDeps } from './act-on-face.ts';
import { actOnEach, type SettleGroup } from './act-on-each.ts';
import type { TaskOutcome } from './carry-out-tasks.ts';
import type { FaceAction } from './face-action.ts';
import { type LabelTarget, normalizedTarget } from './face-task.ts';

/** The faces that are labeled first, in one transaction, so that the others get an identity that exists. */
const FIRST = 20;

export interface LabelStrangersRequest {
  readonly scope: Scope;
  /** Distinct faces. */
  readonly ids: readonly number[];
  readonly target: LabelTarget;
  /** Faces that are rejected from the identity. */
  readonly rejected: readonly number[];
}

export interface LabeledStrangers {
  /** The identity that the faces have; null if none of them was labeled and the target is a label. */
  readonly identity: Pick<Identity, 'id' | 'label'> | null;
  /** Whether the identity was created. */
  readonly isNew: boolean;
  readonly processed: number;
  readonly errors: readonly { readonly id: number; readonly error: DomainError }[];
}

/** Returns those of some faces that are strangers: they have no identity, and were not dismissed. */
export async function areStrangers(
  { groups }: Pick<Stores, 'groups'>,
  ids: readonly number[],
): Promise<readonly number[]> {
  return (await groups.members(ids)).map(({ id }) => id);
}

/**
 * Gives strangers one identity, and then rejects others from it, in transactions of up to 20. A face that is no stranger
 * any more is refused, which does not prevent the others.
 *
 * @param options.settle called if there is an identity
 * @throws InvalidLabel; NotFound, TypeMismatch for the identity; StoreUnavailable, InferenceUnavailable, which do not undo
 *   earlier transactions
 */
export async function labelStrangers(
  deps: ActOnFaceDeps,
  { scope, ids, rejected, ...request }: LabelStrangersRequest,
  options: {
    readonly signal?: AbortSignal;
    readonly settle?: Settle<LabeledStrangers> | undefined;
    /** The last step of each transaction that labels faces. */
    readonly settleGroup?: SettleGroup | undefined;
  } = {},
): Promise<LabeledStrangers> {
  const { signal } = options;
  const errors: { id: number; error: DomainError }[] = [];
  let processed = 0;
  const act = async (action: FaceAction, target: LabelTarget, some: readonly number[]) => {
    const tasks = some.map((id) => ({ id, target }));
    const outcomes = await actOnEach(
      deps,
      { scope, action, tasks, condition: areStrangers },
      { signal, settleGroup: action === 'relabel' ? options.settleGroup : undefined },
    );
    errors.push(...errorsOf(some, outcomes));
    return outcomes.flatMap((outcome) => ('acted' in outcome ? outcome.acted : []));
  };
  const target = normalizedTarget(request.target);
  let identity = await requireLabelTarget(deps, { scope, target }, signal);
  let isNew = false;
  for (let rest = ids; rest.length > 0;) {
    const some = identity === null ? rest.slice(0, FIRST) : rest;
    const acted = await act(
      'relabel',
      identity === null ? target : { identityId: identity.id },
      some,
    );
    processed += acted.length;
    identity ??= acted[0]?.identity ?? null;
    isNew ||= acted[0]?.isNewIdentity ?? false;
    rest = rest.slice(some.length);
  }
  if (identity !== null) await act('reject', { identityId: identity.id }, rejected);
  const result = { identity, isNew, processed, errors };
  if (identity !== null) await settleAlone(deps.database, { scope, result }, options);
  return result;
}

/**
 * Returns the identity that a target names by its id; null for a label.
 *
 * @throws NotFound, TypeMismatch, StoreUnavailable
 */
export async function requireLabelTarget(
  { database }: Pick<ActOnFaceDeps, 'database'>,
  { scope, target }: { readonly scope: Scope; readonly target: LabelTarget },
  signal: AbortSignal | undefined,
): Promise<Identity | null> {
  if (!('identityId' in target)) return null;
  const id = target.identityId;
  const found = await requireIdentity(database, { scope, id }, signal);
  return requireAssignable(found, { id, type: 'face' });
}

function errorsOf(ids: readonly number[], outcomes: readonly TaskOutcome[]) {
  return outcomes.flatMap((outcome, i) =>
    'error' in outcome ? [{ id: ids[i]!, error: outcome.error }] : [],
  );
}
