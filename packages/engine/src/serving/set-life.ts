import { type DesiredSet, hasAll, isSameSet, revisionsOf } from './desired-set.ts';

/**
 * The state of a set of models:
 *
 * - `desired`: it waits to be fetched.
 * - `fetching`, `fetched`: its files are being fetched, or are on this machine.
 * - `loading`: its models are being loaded.
 * - `aborting`: fetching or loading is being stopped.
 * - `warm`: it answers requests.
 * - `failed`: fetching or loading failed.
 * - `draining`: it answers its last requests and accepts no others.
 */
export type SetState =
  'desired' | 'fetching' | 'fetched' | 'loading' | 'aborting' | 'warm' | 'failed' | 'draining';

/**
 * An event of a set: fetching begins (`fetch`) or ends (`fetched`); loading begins (`load`) or ends
 * (`loaded`); either of them fails (`fail`); the set is not desired any more (`drop`); a failed set
 * is to be retried (`retry`); its last request has been answered (`end`).
 */
export type SetEvent = 'fetch' | 'fetched' | 'load' | 'loaded' | 'fail' | 'drop' | 'retry' | 'end';

/** Transitions by state. `gone` means that the set is removed. An event without an entry changes nothing. */
export const SET_LIFE: Readonly<
  Record<SetState, Readonly<Partial<Record<SetEvent, SetState | 'gone'>>>>
> = {
  desired: { fetch: 'fetching', drop: 'gone' },
  fetching: { fetched: 'fetched', fail: 'failed', drop: 'aborting' },
  fetched: { load: 'loading', drop: 'gone' },
  loading: { loaded: 'warm', fail: 'failed', drop: 'aborting' },
  // Loading may end before the stop takes effect: the set is then warm, and is released like any other.
  aborting: { fetched: 'gone', loaded: 'warm', fail: 'gone' },
  warm: { drop: 'draining' },
  failed: { retry: 'desired', drop: 'gone' },
  draining: { end: 'gone' },
};

/** The part of a process's resources that a loaded set takes; there are two. */
export type Place = 0 | 1;
const PLACES: readonly Place[] = [0, 1];

/** The facts about a set that determine its next step. */
export interface SetFacts {
  /** The models for which it was opened. */
  readonly desired: DesiredSet;
  readonly state: SetState;
  /** Null unless the set is loaded or loading. */
  readonly place: Place | null;
}

/** The next step of a process with sets. */
export type SetStep<S extends SetFacts> =
  | { readonly kind: 'fetch' | 'drop'; readonly set: S }
  | { readonly kind: 'load'; readonly set: S; readonly place: Place };

/** Whether a set has all models of a desired one and runs on the desired device. */
export function fulfills({ desired: own }: SetFacts, desired: DesiredSet): boolean {
  const models = revisionsOf(own).map((revision) => ({ revision }));
  return own.provider === desired.provider && hasAll(models, desired);
}

/** Warm sets in order of preference: the desired ones in their order, and then the others. */
export function inPreference<S extends SetFacts>(
  sets: readonly S[],
  desired: readonly DesiredSet[],
): readonly S[] {
  const chosen = chosenOf(sets, desired);
  return [...chosen, ...sets.filter((set) => set.state === 'warm' && !chosen.includes(set))];
}

/**
 * The next step towards the desired sets. Only one set at a time is fetched and loaded, and a third
 * set waits until a place is free. Undesired sets are released once every desired set is warm or
 * has failed; if none of the desired sets is warm, they stay.
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

/** Whether a set that is not loaded is not needed any more. */
function isObsolete<S extends SetFacts>(
  { desired: own, state }: S,
  sets: readonly S[],
  desired: readonly DesiredSet[],
): boolean {
  if (!NOT_LOADED.includes(state)) return false;
  if (!desired.some((each) => isSameSet(each, own))) return true;
  // An equal set was loaded before its stop took effect, so this one is not needed.
  return state === 'desired' && sets.some((set) => set.state === 'warm' && fulfills(set, own));
}

/**
 * Loads the set in a free place. Without one, drops a warm set that is not desired, if there are
 * two warm sets, but never the preferred one.
 */
function stepOfFetched<S extends SetFacts>(
  set: S,
  sets: readonly S[],
  desired: readonly DesiredSet[],
): SetStep<S> | null {
  const free = PLACES.find((place) => sets.every((each) => each.place !== place));
  if (free !== undefined) return { kind: 'load', set, place: free };
  const warm = inPreference(sets, desired);
  const chosen = chosenOf(sets, desired);
  const spare = warm.slice(1).findLast((each) => !chosen.includes(each));
  const isDraining = warm.length < PLACES.length;
  return spare === undefined || isDraining ? null : { kind: 'drop', set: spare };
}

/** The warm sets that fulfill desired ones, each once. */
function chosenOf<S extends SetFacts>(
  sets: readonly S[],
  desired: readonly DesiredSet[],
): readonly S[] {
  const warm = sets.filter(({ state }) => state === 'warm');
  const chosen = desired.map((each) => warm.find((set) => fulfills(set, each)));
  return [...new Set(chosen)].filter((set) => set !== undefined);
}
