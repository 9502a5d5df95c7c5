import { requireIdentity } from '../database/require-identity.ts';
import type { Settle, Stores } from '../database/database.ts';
import { settleAlone } from '../database/settle-alone.ts';
import type { DomainError } from '../domain-error.ts';
import type { Identity } from '../identities/identity.ts';
import { requireAssignable } from '../identities/require-assignable.ts';
import type { Scope } from '../store/scope.ts';
import type { ActOnFaceDeps } from './act-on-face.ts';
import { actOnEach, type SettleGroup } from './act-on-each.ts';
import type { ActedFace, TaskOutcome } from './carry-out-tasks.ts';
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
    /** The last step of each transaction that rejects faces. */
    readonly settleRejected?: SettleGroup | undefined;
  } = {},
): Promise<LabeledStrangers> {
  const { signal, settleGroup, settleRejected } = options;
  const target = normalizedTarget(request.target);
  const known = await requireLabelTarget(deps, { scope, target }, signal);
  const decisions = new Decisions(deps, { scope, known, signal, settleGroup, settleRejected });
  await decisions.label(ids, target);
  await decisions.reject(rejected);
  const { result } = decisions;
  if (result.identity !== null) await settleAlone(deps.database, { scope, result }, options);
  return result;
}

interface GroupOptions {
  readonly signal: AbortSignal | undefined;
  readonly settleGroup: SettleGroup | undefined;
  readonly settleRejected: SettleGroup | undefined;
}

/** The decisions about strangers so far. */
class Decisions {
  readonly #deps: ActOnFaceDeps;
  readonly #scope: Scope;
  readonly #options: GroupOptions;
  readonly #errors: { id: number; error: DomainError }[] = [];
  #identity: Identity | null;
  #isNew = false;
  #processed = 0;

  /** @param context `known`: the identity that the strangers get, if the request names it by id */
  constructor(
    deps: ActOnFaceDeps,
    context: {
      readonly scope: Scope;
      readonly known: Identity | null;
    } & GroupOptions,
  ) {
    this.#deps = deps;
    this.#scope = context.scope;
    this.#options = context;
    this.#identity = context.known;
  }

  get result(): LabeledStrangers {
    return {
      identity: this.#identity,
      isNew: this.#isNew,
      processed: this.#processed,
      errors: this.#errors,
    };
  }

  /** The first transaction that labels a face decides which identity a label means. The later ones name that one by id. */
  async label(ids: readonly number[], target: LabelTarget): Promise<void> {
    let rest = ids;
    while (this.#identity === null && rest.length > 0) {
      const acted = await this.#act('relabel', target, rest.slice(0, FIRST));
      const [first] = acted;
      this.#processed += acted.length;
      this.#identity = first?.identity ?? null;
      this.#isNew = first?.isNewIdentity ?? false;
      rest = rest.slice(FIRST);
    }
    if (this.#identity !== null) {
      const acted = await this.#act('relabel', { identityId: this.#identity.id }, rest);
      this.#processed += acted.length;
    }
  }

  /** Rejects faces from the identity, if there is one. */
  async reject(ids: readonly number[]): Promise<void> {
    if (this.#identity === null) return;
    await this.#act('reject', { identityId: this.#identity.id }, ids);
  }

  async #act(
    action: FaceAction,
    target: LabelTarget,
    ids: readonly number[],
  ): Promise<readonly ActedFace[]> {
    const tasks = ids.map((id) => ({ id, target }));
    const outcomes = await actOnEach(
      this.#deps,
      { scope: this.#scope, action, tasks, condition: areStrangers },
      {
        signal: this.#options.signal,
        settleGroup:
          action === 'relabel' ? this.#options.settleGroup : this.#options.settleRejected,
      },
    );
    this.#errors.push(...errorsOf(ids, outcomes));
    return outcomes.flatMap((outcome) => ('acted' in outcome ? outcome.acted : []));
  }
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
