import { type DesiredSet, hasAll, isSameSet, revisionsOf } from './desired-set.ts';

/**
 * The state of a set of models:
 *
 * - `desired`: the set waits to be fetched.
 * - `fetching`, `fetched`: the set's files are being fetched, or are on this machine.
 * - `loading`: the set's models are being loaded.
 * - `aborting`: fetching or loading is being stopped.
 * - `warm`: the set answers requests.
 * - `failed`: fetching or loading failed.
 * - `draining`: the set answers its last requests and accepts no others.
 */
export type SetState =
  'desired' | 'fetching' | 'fetched' | 'loading' | 'aborting' | 'warm' | 'failed' | 'draining';

/**
 * An event of a set: fetching begins (`fetch`) or ends (`fetched`); loading begins (`load`) or ends
 * (`loaded`); fetching or loading fails (`fail`); the set is no longer desired (`drop`); a failed
 * set is to be retried (`retry`); the set's last request has been answered (`end`).
 */
export type SetEvent = 'fetch' | 'fetched' | 'load' | 'loaded' | 'fail' | 'drop' | 'retry' | 'end';

/** The transitions by state. An event without an entry changes nothing. */
export const SET_LIFE: Readonly<
  Record<SetState, Readonly<Partial<Record<SetEvent, SetState | 'removed'>>>>
> = {
  desired: { fetch: 'fetching', drop: 'removed' },
  fetching: { fetched: 'fetched', fail: 'failed', drop: 'aborting' },
  fetched: { load: 'loading', drop: 'removed' },
  loading: { loaded: 'warm', fail: 'failed', drop: 'aborting' },
  // Loading may end before the stop takes effect. In that case the set is warm and is released like
  // any other warm set.
  aborting: { fetched: 'removed', loaded: 'warm', fail: 'removed' },
  warm: { drop: 'draining' },
  failed: { retry: 'desired', drop: 'removed' },
  draining: { end: 'removed' },
};

/**
 * One of the two partitions of a process's resources. A set that is loading or loaded takes one.
 */
export type Partition = 0 | 1;
const PARTITIONS: readonly Partition[] = [0, 1];

export interface SetFacts {
  /** The models for which the set was opened. */
  readonly desired: DesiredSet;
  readonly state: SetState;
  /** The partition that the set takes; null unless the set is loaded or loading. */
  readonly partition: Partition | null;
}

export type SetStep<S extends SetFacts> =
  | { readonly kind: 'fetch' | 'drop'; readonly set: S }
  | { readonly kind: 'load'; readonly set: S; readonly partition: Partition };

/** Returns whether a set has all models of a desired set and runs on the desired device. */
export function fulfills({ desired: own }: SetFacts, desired: DesiredSet): boolean {
  const models = revisionsOf(own).map((revision) => ({ revision }));
  return own.provider === desired.provider && hasAll(models, desired);
}

/**
 * Returns the warm sets in order of preference: the desired sets in their order, followed by the
 * other sets.
 */
export function inPreference<S extends SetFacts>(
  sets: readonly S[],
  desired: readonly DesiredSet[],
): readonly S[] {
  const chosen = chosenOf(sets, desired);
  return [...chosen, ...sets.filter((set) => set.state === 'warm' && !chosen.includes(set))];
}

/**
 * Returns the next step towards the desired sets. Only one set at a time is fetched and loaded, and
 * a third set waits until another set has released its partition. Undesired sets are
 * released once every desired set is warm or has failed. If none of the desired sets is warm, the
 * undesired sets stay.
 *
 * @returns null if there is nothing to do until a set changes
 */
export function nextStep<S extends SetFacts>(
  sets: readonly S[],
  desired: readonly DesiredSet[],
): SetStep<S> | null {
  const obsolete = sets.find((set) => isObsolete(set, sets, desired));
  if (obsolete !== undefined) return { kind: 'drop', set: obsolete };
  const fetched = sets.find(({ state }) => state === 'fetched');
  if (fetched !== undefined) return stepOfFetched(fetched, sets, desired);
  if (sets.some(({ state }) => BUSY.includes(state))) return null;
  const missing = desired.flatMap((each) => sets.filter((set) => isMissing(set, each)));
  if (missing.length > 0) return { kind: 'fetch', set: missing[0]! };
  const chosen = chosenOf(sets, desired);
  const spare = sets.find((set) => set.state === 'warm' && !chosen.includes(set));
  return chosen.length > 0 && spare !== undefined ? { kind: 'drop', set: spare } : null;
}

const BUSY: readonly SetState[] = ['fetching', 'loading', 'aborting'];
const NOT_LOADED: readonly SetState[] = ['desired', 'fetching', 'fetched', 'loading', 'failed'];

function isMissing({ state, desired: own }: SetFacts, desired: DesiredSet): boolean {
  return state === 'desired' && isSameSet(own, desired);
}

/** Returns whether a set that is not loaded is no longer needed. */
function isObsolete<S extends SetFacts>(
  { desired: own, state }: S,
  sets: readonly S[],
  desired: readonly DesiredSet[],
): boolean {
  if (!NOT_LOADED.includes(state)) return false;
  if (!desired.some((each) => isSameSet(each, own))) return true;
  // A set that waits is not needed if an equal set is warm. Such a set was to be aborted, but its loading ended
  // before the stop took effect.
  return state === 'desired' && sets.some((set) => set.state === 'warm' && fulfills(set, own));
}

/**
 * Loads the set in a free partition. If no partition is free, the function drops a warm
 * set that is not desired, provided that there are two warm sets, but never the preferred set.
 */
function stepOfFetched<S extends SetFacts>(
  set: S,
  sets: readonly S[],
  desired: readonly DesiredSet[],
): SetStep<S> | null {
  const free = PARTITIONS.find((partition) => sets.every((each) => each.partition !== partition));
  if (free !== undefined) return { kind: 'load', set, partition: free };
  const warm = inPreference(sets, desired);
  const chosen = chosenOf(sets, desired);
  const spare = warm.slice(1).findLast((each) => !chosen.includes(each));
  const isDraining = warm.length < PARTITIONS.length;
  return spare === undefined || isDraining ? null : { kind: 'drop', set: spare };
}

/** Returns the warm sets that fulfill desired sets, each once. */
function chosenOf<S extends SetFacts>(
  sets: readonly S[],
  desired: readonly DesiredSet[],
): readonly S[] {
  const warm = sets.filter(({ state }) => state === 'warm');
  const chosen = desired.map((each) => warm.find((set) => fulfills(set, each)));
  return [...new Set(chosen)].filter((set) => set !== undefined);
}
