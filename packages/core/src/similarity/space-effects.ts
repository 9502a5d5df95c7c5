import type { Candidate } from '../identities/candidate.ts';
import type { Database, Transaction } from '../database/database.ts';
import type { EntityLock } from '../store/entity-lock.ts';
import type { SpaceStep } from '../groups/followed-faces.ts';
import type { MismatchScore } from '../groups/mismatch-score.ts';
import type { NeighborList } from '../groups/neighbor-list.ts';

/** The most faces that one transaction changes, because each one is locked. */
const MOST_FACES = 400;

/** The effects of changes, by face. A null stands for a stored row that no longer holds. */
export interface SpaceEffects {
  readonly suggestions: Map<number, readonly Candidate[]>;
  readonly neighbors: Map<number, NeighborList | null>;
  readonly scores: Map<number, MismatchScore | null>;
}

export function noEffects(): SpaceEffects {
  return { suggestions: new Map(), neighbors: new Map(), scores: new Map() };
}

/** Another process has followed the space, or an identity has ended, so what this process knows is out of date. */
export class SpaceOutdated extends Error {
  constructor() {
    super('The faces have changed since they were read.');
    this.name = 'SpaceOutdated';
  }
}

export interface EffectsToStore {
  readonly environmentId: number;
  readonly modelId: number;
  readonly effects: SpaceEffects;
  /**
   * The faces that changed themselves, at most 400. Their rows are stored last: as long as a list is missing or out of
   * date, the face counts as arrived or departed, and is entered into the lists of others or removed from them.
   */
  readonly changed: readonly number[];
  /** The turn to continue from; null if the space was never followed. */
  readonly turn: number | null;
  /** The state after the last transaction, without its turn. */
  readonly step: Omit<SpaceStep, 'turn'>;
  /** The state while transactions remain. */
  readonly before: Omit<SpaceStep, 'turn'>;
  /** The ids of the changes that the effects come from. */
  readonly acknowledged: readonly number[];
  /** Called with the turn of each transaction after its commit. */
  readonly committed: (turn: number) => void;
}

/**
 * Stores effects, and acknowledges their changes in the last transaction. If the process ends before that, the same
 * changes have the same effects again.
 *
 * @throws SpaceOutdated, StoreUnavailable
 */
export async function storeEffects(
  database: Pick<Database, 'withEntities'>,
  { environmentId, modelId, effects, changed, acknowledged, committed, ...stored }: EffectsToStore,
): Promise<void> {
  const parts = partsOf(effects, new Set(changed));
  let { turn } = stored;
  for (const [index, faces] of parts.entries()) {
    const isLast = index === parts.length - 1;
    const next = (turn ?? 0) + 1;
    const locks = faces.map((id): EntityLock => ({ entity: 'detection', id }));
    await database.withEntities({ environmentId, locks }, async (tx) => {
      const step = { ...(isLast ? stored.step : stored.before), turn: next };
      if (!(await tx.followed.advance(modelId, turn, step))) throw new SpaceOutdated();
      await storePart(tx, modelId, { effects, faces });
      if (isLast) await tx.followed.acknowledge(acknowledged);
      const { isSettled, currentAt } = step;
      if (isSettled && currentAt !== null) await tx.followed.confirmTree(modelId, currentAt);
    });
    turn = next;
    committed(turn);
  }
}

/** The faces of each transaction. */
function partsOf(
  { suggestions, neighbors, scores }: SpaceEffects,
  changed: ReadonlySet<number>,
): readonly (readonly number[])[] {
  const all = [...new Set([...suggestions.keys(), ...neighbors.keys(), ...scores.keys()])];
  const others = all.filter((id) => !changed.has(id));
  const own = all.filter((id) => changed.has(id));
  const parts: number[][] = [];
  for (let start = 0; start < others.length; start += MOST_FACES) {
    parts.push(others.slice(start, start + MOST_FACES));
  }
  const last = parts.at(-1);
  if (last !== undefined && last.length + own.length <= MOST_FACES) last.push(...own);
  else parts.push(own);
  return parts;
}

async function storePart(
  { followed, suggestions }: Transaction,
  modelId: number,
  { effects, faces }: { readonly effects: SpaceEffects; readonly faces: readonly number[] },
): Promise<void> {
  if (faces.length === 0) return;
  const existing = await followed.existing(faces);
  const lists = valuesOf(effects.neighbors, existing);
  const scores = valuesOf(effects.scores, existing);
  const suggested = valuesOf(effects.suggestions, existing);
  if (suggested.length > 0) {
    const areComplete = await suggestions.replace(
      modelId,
      suggested.map(([detectionId, candidates]) => ({ detectionId, candidates })),
    );
    // If an identity ended after the suggestions were computed, another one has to take its place.
    if (!areComplete) throw new SpaceOutdated();
  }
  await Promise.all([
    followed.setNeighbors(modelId, withoutNulls(lists)),
    followed.removeNeighbors(modelId, idsOfNulls(lists)),
    followed.setScores(
      modelId,
      withoutNulls(scores).map(([, score]) => score),
    ),
    followed.removeScores(modelId, idsOfNulls(scores)),
  ]);
}

function valuesOf<Value>(
  values: ReadonlyMap<number, Value>,
  ids: readonly number[],
): readonly (readonly [number, Value])[] {
  return ids.flatMap((id) => (values.has(id) ? [[id, values.get(id)!] as const] : []));
}

function withoutNulls<Value>(
  entries: readonly (readonly [number, Value | null])[],
): readonly (readonly [number, Value])[] {
  return entries.filter((entry): entry is readonly [number, Value] => entry[1] !== null);
}

function idsOfNulls(entries: readonly (readonly [number, unknown])[]): readonly number[] {
  return entries.filter(([, value]) => value === null).map(([id]) => id);
}
