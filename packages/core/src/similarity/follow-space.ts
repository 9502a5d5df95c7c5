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
import type { GalleryVector } from '../matching/rank-candidates.ts';
import { scoreFaces } from './score-faces.ts';
import { readGalleryVectors } from './gallery-memory.ts';
import { type LoadDeps, loadSpace } from './load-space.ts';
import { ManyReferences, type ManyReferencesDeps } from './many-references.ts';
import type { DueSpace } from './similarity-queue.ts';
import { noEffects, type SpaceEffects, storeEffects } from './space-effects.ts';
import { isComparable } from '../vectors/is-comparable.ts';
import type { Followed, SpaceMemory } from './space-memory.ts';
import { suggestFor, suggestNew, type SuggestDeps } from './suggest-identities.ts';
import { searchAgain, updateNeighbors } from './update-neighbors.ts';

/** The most changes of each kind, and the most scanned or searched faces, that one turn works on. */
const BATCH = 64;
/** The most faces while this process answers requests, which wait for a turn. */
const BUSY_FACES = 16;

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
  /** The most faces that the turn works on. */
  readonly most: number;
}

interface Turn extends Followed, SpaceWork {
  /** Whether the vectors may be loaded only to find out that nothing is to be done. */
  readonly mayLoad: boolean;
}

/** @throws StoreUnavailable */
export async function readWork(
  { database, restMs = REST_MS, isBusy }: Pick<FollowDeps, 'database' | 'restMs' | 'isBusy'>,
  { environmentId, modelId }: DueSpace,
): Promise<SpaceWork> {
  const most = isBusy?.() === true ? BUSY_FACES : BATCH;
  return database.withScope({ environmentId }, async ({ followed, settings }) => {
    const [state, pending, stored] = await Promise.all([
      followed.state(modelId),
      followed.pending(modelId, { limit: BATCH, restMs }),
      settings.all(),
    ]);
    const { matchStrategy: strategy } = effectiveSettings(stored);
    const faces = pending.faces.slice(0, most);
    return { state, pending: { ...pending, faces }, most, strategy };
  });
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
  const added = await addedVectors(deps, turn);
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
  const references = await compareMany(deps, turn, effects);
  await applyOpen(deps, turn, { effects, changed, faces, added, stored });
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
    ...references.map(({ id }) => id),
    ...memory.readings.takeDone(['losses'], pending.losses),
    ...memory.readings.takeDone(readingsOfMeans(turn), pending.means),
  ];
  const isCurrent =
    scannedTo === null &&
    acknowledged.length === changes &&
    Object.values(pending).every(({ length }) => length < turn.most);
  const currentAt = isCurrent ? state.now : null;
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
  memory.currentAt = currentAt ?? memory.currentAt;
  return { worked: true, changes: acknowledged.length };
}

/** Searches lists again that have lost a neighbor, when nothing else is to be done. */
async function settle(
  deps: FollowDeps,
  { space, memory, state, most, mayLoad }: Turn,
): Promise<TurnDone> {
  if (state.isSettled || (!memory.isLoaded && !mayLoad)) return { worked: false, changes: 0 };
  await loadSpace(deps, { space, memory });
  const ids = [...memory.lists.incomplete].slice(0, most);
  if (ids.length === 0 && !isSettledNow(memory)) return { worked: false, changes: 0 };
  const effects = noEffects();
  const faces = await readFaces(deps, { space }, ids);
  const strangers = faces.filter(({ isStranger }) => isStranger);
  // A face without a vector keeps its list until its own change is applied.
  for (const [id, list] of await searchAgain(deps, { space, memory }, strangers)) {
    effects.neighbors.set(id, list);
  }
  const isSettled = isSettledNow(memory);
  const step = { scannedTo: null, isSettled, currentAt: state.now };
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
  memory.currentAt = state.now;
  return { worked: true, changes: 0 };
}

function isSettledNow({ lists, changes, linkedChanges }: SpaceMemory): boolean {
  return lists.incomplete.size === 0 && changes === linkedChanges;
}

async function scannedPage(
  { database }: FollowDeps,
  { space, state, most }: Turn,
): Promise<readonly number[]> {
  if (state.scannedTo === null) return [];
  const page = { after: state.scannedTo, limit: most };
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
  { space, strategy, memory, pending }: Turn,
): Promise<IdentityFaces> {
  const { environmentId, modelId } = space;
  const { readings } = memory;
  type Page = Parameters<FollowedFaceReader['confirmed']>[1];
  const listingOf = (identity: number, page: Page) =>
    database.withScope({ environmentId }, ({ followed }) =>
      followed.listing(modelId, identity, page),
    );
  const confirmedOf = (identity: number, page: Page) =>
    database.withScope({ environmentId }, ({ followed }) => followed.confirmed(identity, page));
  const losing = await readings.next('losses', pending.losses, listingOf);
  const averaged =
    strategy === 'average' ? await readings.next('averages', pending.means, listingOf) : [];
  return {
    listing: [...losing, ...averaged],
    scoredAgain: await readings.next('means', pending.means, confirmedOf),
  };
}

function readingsOfMeans({ strategy }: Turn): readonly string[] {
  return strategy === 'average' ? ['means', 'averages'] : ['means'];
}

function areMany({ strategy, pending }: Turn): boolean {
  return strategy === 'best_match' && pending.references.length === BATCH;
}

/**
 * Compares the new references with a page of the open faces, if they are many.
 *
 * @returns the changes of references that this turn completes
 */
async function compareMany(
  deps: FollowDeps,
  turn: Turn,
  effects: SpaceEffects,
): Promise<readonly PendingChange[]> {
  const { space, memory, pending } = turn;
  if (!areMany(turn)) {
    await memory.manyReferences?.end();
    memory.manyReferences = null;
    return pending.references;
  }
  memory.manyReferences ??= await ManyReferences.begin(deps, space);
  const many = memory.manyReferences;
  putAll(effects.suggestions, await many.next(entitiesOf(pending.losses)));
  if (!many.isDone) return [];
  memory.manyReferences = null;
  return many.changes;
}

/** The vectors with which all open faces have to be compared: new references unless they are many, or changed means. */
async function addedVectors(deps: FollowDeps, turn: Turn): Promise<readonly GalleryVector[]> {
  if (areMany(turn)) return [];
  const { pending, strategy } = turn;
  const changes = strategy === 'average' ? pending.means : pending.references;
  return readGalleryVectors(deps, turn, entitiesOf(changes));
}

interface OpenChanges {
  readonly effects: SpaceEffects;
  /** The faces that have changed themselves. */
  readonly changed: readonly number[];
  /** The faces whose suggestions are computed again, and those that have changed. */
  readonly faces: readonly FollowedFace[];
  readonly added: readonly GalleryVector[];
  /** The stored rows of the faces that have changed, and of others. */
  readonly stored: StoredSimilarity;
}

/** Applies what concerns open faces: neighbors and suggestions. */
async function applyOpen(
  deps: FollowDeps,
  turn: Turn,
  { effects, changed, faces, added, stored }: OpenChanges,
): Promise<void> {
  const { space, strategy } = turn;
  const open = faces.filter(({ isOpen }) => isOpen);
  const isOpen = new Set(open.map(({ id }) => id));
  const hasList = changed.some((id) => stored.neighbors.has(id));
  const concernsOpen = open.length > 0 || hasList || added.length > 0;
  if (turn.memory.isLoaded || concernsOpen) {
    await applyNeighbors(deps, turn, { effects, changed, open, stored });
  }
  const suggesting = { space, strategy };
  putAll(effects.suggestions, await suggestNew(deps, suggesting, added));
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
