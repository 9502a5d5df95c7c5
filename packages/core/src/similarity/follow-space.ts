import { effectiveSettings } from '../settings/effective-settings.ts';
import type {
  FollowedFace,
  FollowedFaceReader,
  PendingChange,
  PendingChanges,
  SpaceState,
  StoredSimilarity,
} from '../groups/followed-faces.ts';
import type { MatchStrategy } from '../matching/read-gallery.ts';
import { scoreFaces } from './score-faces.ts';
import { FewVectors } from './few-vectors.ts';
import { type LoadDeps, loadSpace } from './load-space.ts';
import { ManyReferences, type ManyReferencesDeps } from './many-references.ts';
import type { NewVectors } from './new-vectors.ts';
import type { DueSpace } from './similarity-queue.ts';
import { noEffects, type SpaceEffects, storeEffects } from './space-effects.ts';
import { isComparable } from '../vectors/is-comparable.ts';
import type { Followed, SpaceMemory } from './space-memory.ts';
import type { SpaceProgress } from './space-progress.ts';
import { suggestFor, type SuggestDeps } from './suggest-identities.ts';
import { searchAgain, updateNeighbors } from './update-neighbors.ts';

/** The most changes of each kind that one turn reads. */
const BATCH = 64;

/** How much one turn does at most. */
interface TurnLimits {
  /** The changes of each kind, and the scanned or searched faces, that it works on. */
  readonly changes: number;
  /** The faces that it compares with new references. */
  readonly compared: number;
  /** The faces of identities that it reads for each kind of change. */
  readonly ofIdentities: number;
}

const LIMITS: TurnLimits = { changes: BATCH, compared: 400, ofIdentities: 200 };
/** While this process answers requests, which wait for a turn. */
const BUSY_LIMITS: TurnLimits = { changes: 16, compared: 100, ofIdentities: 50 };

export interface FollowDeps extends SuggestDeps, ManyReferencesDeps, LoadDeps {
  /** The time without a change after which the faces of an identity are compared again, in ms; a second if absent. */
  readonly restMs?: number;
  /** Whether this process answers requests at the moment, so that turns are to be short; never if absent. */
  readonly isBusy?: () => boolean;
}

const REST_MS = 1_000;

export interface TurnDone {
  /** Whether the turn changed or read anything, so that the space may have more to do. */
  readonly worked: boolean;
  readonly changes: number;
}

/** The state of a space and its pending changes, of one snapshot. */
export interface SpaceWork {
  readonly state: SpaceState;
  readonly strategy: MatchStrategy;
  readonly pending: PendingChanges;
  readonly limits: TurnLimits;
}

interface Turn extends Followed, SpaceWork {
  readonly progress: SpaceProgress;
  /** Whether the vectors may be loaded only to find out that nothing is to be done. */
  readonly mayLoad: boolean;
}

/** @throws StoreUnavailable */
export async function readWork(
  { database, restMs = REST_MS, isBusy }: Pick<FollowDeps, 'database' | 'restMs' | 'isBusy'>,
  { environmentId, modelId }: DueSpace,
): Promise<SpaceWork> {
  const limits = isBusy?.() === true ? BUSY_LIMITS : LIMITS;
  return database.withScope({ environmentId }, async ({ followed, settings }) => {
    const [state, pending, stored] = await Promise.all([
      followed.state(modelId, { restMs }),
      followed.pending(modelId, { limit: BATCH, restMs }),
      settings.all(),
    ]);
    const { matchStrategy: strategy } = effectiveSettings(stored);
    const faces = pending.faces.slice(0, limits.changes);
    return { state, pending: { ...pending, faces }, limits, strategy };
  });
}

/**
 * Reads the work of a space, which begins with it if it was never followed. From then on, another strategy raises its turn.
 *
 * @throws StoreUnavailable
 */
export async function beginWork(deps: FollowDeps, space: DueSpace): Promise<SpaceWork> {
  const work = await readWork(deps, space);
  if (work.state.turn !== null) return work;
  const { environmentId, modelId } = space;
  await deps.database.withEntities({ environmentId, locks: [] }, async ({ followed }) => {
    const { currentAt } = work.state;
    const step = { turn: 1, scannedTo: null, isSettled: true, currentAt };
    // Another process may have begun.
    if (await followed.advance(modelId, null, step)) await followed.confirmTree(modelId, currentAt);
  });
  return readWork(deps, space);
}

/**
 * Applies a batch of the pending changes of a space, and one page of the scan if all faces are being read. Each effect is
 * computed from rows that were read after the change was recorded. A row that changes after that has a change of its own,
 * so the newest effect is stored last.
 *
 * @throws SpaceOutdated if another process has followed the space, or a suggested identity has ended; StoreUnavailable,
 *   VectorsUnavailable. The memory is then out of step, and must be dropped.
 */
export async function followSpace(deps: FollowDeps, turn: Turn): Promise<TurnDone> {
  const { space, memory, state, pending } = turn;
  const scope = { environmentId: space.environmentId };
  const changes = Object.values(pending).reduce((sum, { length }) => sum + length, 0);
  const scanned = await scannedPage(deps, turn);
  const isScanning = state.scannedTo !== null;
  if (changes === 0 && !isScanning) return settle(deps, turn);

  const effects = noEffects();
  const changed = [...new Set([...entitiesOf(pending.faces), ...scanned])];
  const { listing, scoredAgain } = await readIdentities(deps, turn);
  const read = [...new Set([...changed, ...listing])];
  const faces = await readFaces(deps, turn, read);
  const scored = [...new Set([...changed, ...scoredAgain])];
  const { stored, comparable } = await deps.database.withScope(scope, async ({ followed }) => {
    const [present, others] = await Promise.all([
      followed.stored(space.modelId, scored),
      followed.comparable(space.modelId, scored),
    ]);
    return { stored: present, comparable: comparableOf(deps, turn, others) };
  });
  const compared = await compareNew(deps, turn, { effects, changed });
  await applyOpen(deps, turn, { effects, changed, faces, stored });
  const scores = [...scoreFaces(scored, comparable, space.similarityCalibration)];
  putAll(
    effects.scores,
    scores.filter(([id, score]) => score !== null || stored.scores.has(id)),
  );

  const lastScanned = scanned.at(-1);
  const scannedTo = isScanning ? (lastScanned ?? null) : null;
  const isSettled = memory.isLoaded ? isSettledNow(memory) : state.isSettled;
  const acknowledged = [
    ...pending.faces.map(({ id }) => id),
    ...compared.map(({ id }) => id),
    ...turn.progress.readings.takeDone(['losses'], pending.losses),
    ...takeReadMeans(turn),
  ];
  const isCurrent =
    scannedTo === null &&
    acknowledged.length === changes &&
    Object.values(pending).every(({ length }) => length < turn.limits.changes);
  const currentAt = isCurrent ? state.upTo : null;
  await storeEffects(deps.database, {
    ...scope,
    modelId: space.modelId,
    effects,
    changed,
    turn: state.turn,
    step: { scannedTo, isSettled, currentAt },
    before: { scannedTo: state.scannedTo, isSettled, currentAt: null },
    acknowledged,
    committed: (stored) => (memory.turn = stored),
  });
  if (currentAt !== null) memory.isCurrent(currentAt);
  return { worked: true, changes: acknowledged.length };
}

/** Searches lists again that have lost a neighbor, when nothing else is to be done. */
async function settle(
  deps: FollowDeps,
  { space, memory, state, limits, mayLoad }: Turn,
): Promise<TurnDone> {
  if (state.isSettled || (!memory.isLoaded && !mayLoad)) return { worked: false, changes: 0 };
  await loadSpace(deps, { space, memory });
  const ids = [...memory.lists.incomplete].slice(0, limits.changes);
  if (ids.length === 0 && !isSettledNow(memory)) return { worked: false, changes: 0 };
  const effects = noEffects();
  const faces = await readFaces(deps, { space }, ids);
  const strangers = faces.filter(({ isStranger }) => isStranger);
  // A face without a vector keeps its list until its own change is applied.
  for (const [id, list] of await searchAgain(deps, { space, memory }, strangers)) {
    effects.neighbors.set(id, list);
  }
  const isSettled = isSettledNow(memory);
  const step = { scannedTo: null, isSettled, currentAt: state.upTo };
  await storeEffects(deps.database, {
    environmentId: space.environmentId,
    modelId: space.modelId,
    effects,
    changed: [],
    turn: state.turn,
    step,
    before: { ...step, isSettled: false },
    acknowledged: [],
    committed: (stored) => (memory.turn = stored),
  });
  memory.isCurrent(state.upTo);
  return { worked: true, changes: 0 };
}

function isSettledNow({ lists, changes, linkedChanges }: SpaceMemory): boolean {
  return lists.incomplete.size === 0 && changes === linkedChanges;
}

async function scannedPage(
  { database }: FollowDeps,
  { space, state, limits }: Turn,
): Promise<readonly number[]> {
  if (state.scannedTo === null) return [];
  const page = { after: state.scannedTo, limit: limits.changes };
  return database.withScope({ environmentId: space.environmentId }, ({ followed }) =>
    followed.idsAfter(space.modelId, page),
  );
}

/** The faces that can be compared. The others are set aside. */
function comparableOf<Face extends Pick<FollowedFace, 'id' | 'vector'>>(
  { setAside }: FollowDeps,
  { space }: Pick<Turn, 'space'>,
  faces: readonly Face[],
): readonly Face[] {
  return faces.filter((face) => {
    const is = isComparable(face, space.dimension);
    if (!is) setAside(space, face.id);
    return is;
  });
}

async function readFaces(
  deps: FollowDeps,
  { space }: Pick<Turn, 'space'>,
  ids: readonly number[],
): Promise<readonly FollowedFace[]> {
  if (ids.length === 0) return [];
  const { environmentId, modelId } = space;
  const faces = await deps.database.withScope({ environmentId }, ({ followed }) =>
    followed.faces(modelId, ids),
  );
  return comparableOf(deps, { space }, faces);
}

interface IdentityFaces {
  /** Faces whose suggestions are computed again. */
  readonly listing: readonly number[];
  /** Faces that are compared with their identities again. */
  readonly scoredAgain: readonly number[];
}

/** Reads a page of the faces of identities that changed. The next turn continues behind it. */
async function readIdentities(
  { database }: FollowDeps,
  { space, strategy, progress, pending, limits }: Turn,
): Promise<IdentityFaces> {
  const { environmentId, modelId } = space;
  const { losses, means } = pending;
  const most = limits.ofIdentities;
  type Page = Parameters<FollowedFaceReader['confirmed']>[1];
  const listingOf = (identity: number, page: Page) =>
    database.withScope({ environmentId }, ({ followed }) =>
      followed.listing(modelId, identity, page),
    );
  const confirmedOf = (identity: number, page: Page) =>
    database.withScope({ environmentId }, ({ followed }) => followed.confirmed(identity, page));
  const read = progress.readings.next.bind(progress.readings);
  const losing = await read({ name: 'losses', changes: losses, most }, listingOf);
  const averaged =
    strategy === 'average' ? await read({ name: 'averages', changes: means, most }, listingOf) : [];
  return {
    listing: [...losing, ...averaged],
    scoredAgain: await read({ name: 'means', changes: means, most }, confirmedOf),
  };
}

/** Returns the changes of means that this turn completes. */
function takeReadMeans({ strategy, progress, pending }: Turn): readonly number[] {
  const { readings, compared } = progress;
  if (strategy === 'best_match') return readings.takeDone(['means'], pending.means);
  const means = pending.means.filter(({ id }) => compared.has(id));
  const done = readings.takeDone(['means', 'averages'], means);
  for (const id of done) compared.delete(id);
  return done;
}

/**
 * Compares new references, or means that changed, with open faces. If the faces are many, or the references, the next turn
 * continues.
 *
 * @returns the changes of references that this turn completes
 */
async function compareNew(
  deps: FollowDeps,
  turn: Turn,
  { effects, changed }: Pick<OpenChanges, 'effects' | 'changed'>,
): Promise<readonly PendingChange[]> {
  const { memory, pending, progress, strategy, limits } = turn;
  const isNew = progress.newVectors === null;
  progress.newVectors ??= await newVectors(deps, turn);
  const { newVectors: vectors, losses } = progress;
  // References are not compared with `average`.
  const ignored = strategy === 'average' ? pending.references : [];
  if (vectors === null) return ignored;
  const later = isNew ? [] : pending.losses.filter(({ id }) => !losses.has(id));
  progress.losses = new Set(pending.losses.map(({ id }) => id));
  const losers = entitiesOf(later);
  const part = { memory, losers, changed, most: limits.compared };
  putAll(effects.suggestions, await vectors.next(part));
  if (!vectors.isDone) return ignored;
  progress.newVectors = null;
  if (strategy === 'best_match') return vectors.changes;
  for (const { id } of vectors.changes) progress.compared.add(id);
  return ignored;
}

/** Returns null if nothing has to be compared with the open faces. */
async function newVectors(deps: FollowDeps, turn: Turn): Promise<NewVectors | null> {
  const { space, strategy, pending, progress, limits } = turn;
  const isMany = strategy === 'best_match' && pending.references.length === BATCH;
  if (isMany) return ManyReferences.begin(deps, space);
  const changes = strategy === 'average' ? pending.means : pending.references;
  const left = changes.filter(({ id }) => !progress.compared.has(id)).slice(0, limits.changes);
  return left.length === 0 ? null : new FewVectors(deps, { space, strategy }, left);
}

interface OpenChanges {
  readonly effects: SpaceEffects;
  /** The faces that have changed themselves. */
  readonly changed: readonly number[];
  /** The faces whose suggestions are computed again, and those that have changed. */
  readonly faces: readonly FollowedFace[];
  /** The stored rows of the faces that have changed, and of others. */
  readonly stored: StoredSimilarity;
}

/** Applies what concerns open faces: neighbors and suggestions. */
async function applyOpen(
  deps: FollowDeps,
  turn: Turn,
  { effects, changed, faces, stored }: OpenChanges,
): Promise<void> {
  const { space, strategy } = turn;
  const open = faces.filter(({ isOpen }) => isOpen);
  const isOpen = new Set(open.map(({ id }) => id));
  const hasList = changed.some((id) => stored.neighbors.has(id));
  const concernsOpen = open.length > 0 || hasList;
  if (turn.memory.isLoaded || concernsOpen) {
    await applyNeighbors(deps, turn, { effects, changed, open, stored });
  }
  const suggesting = { space, strategy };
  for (const id of changed) {
    if (stored.suggested.has(id) && !isOpen.has(id)) effects.suggestions.set(id, []);
  }
  putAll(effects.suggestions, await suggestFor(deps, suggesting, open));
}

interface NeighborChanges extends Pick<OpenChanges, 'effects' | 'changed'> {
  readonly open: readonly FollowedFace[];
  readonly stored: StoredSimilarity;
}

async function applyNeighbors(
  deps: FollowDeps,
  { space, memory }: Turn,
  { effects, changed, open, stored }: NeighborChanges,
): Promise<void> {
  await loadSpace(deps, { space, memory });
  const own = new Set(changed);
  const { deleted, neighbors } = stored;
  const faces = { ids: changed, open: open.filter(({ id }) => own.has(id)), deleted };
  for (const [id, list] of await updateNeighbors(deps, { space, memory }, faces)) {
    if (list !== null || neighbors.has(id)) effects.neighbors.set(id, list);
  }
}

function putAll<Value>(
  values: Map<number, Value>,
  others: Iterable<readonly [number, Value]>,
): void {
  for (const [id, value] of others) values.set(id, value);
}

function entitiesOf(changes: readonly PendingChange[]): readonly number[] {
  return [...new Set(changes.map(({ entityId }) => entityId))];
}
