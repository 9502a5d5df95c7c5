import type { ChangeLog, ReaderState, VectorChange } from '../change-log.ts';
import type { RebuildDeps } from '../rebuild-index.ts';
import type {
  VectorIndex,
  VectorIndexDraft,
  VectorKind,
  VectorPoint,
  VectorSpace,
} from '../vector-index.ts';
import { VectorsUnavailable } from '../vectors-unavailable.ts';

/**
 * An event that happens while processes maintain the index: a row gets an identity or is deleted, the index loses its
 * points, or the reader is removed.
 */
export type RaceEvent =
  | { readonly id: number; readonly identityId: number | null | 'deleted' }
  | 'index lost'
  | 'reader forgotten';

type Content = Map<number, number | null>;

/** The scheduler of fast-check. It settles promises in a random order. */
interface Turns {
  schedule<T>(task: Promise<T>): Promise<T>;
}

interface Registration {
  filled: boolean;
  readonly notes: Map<number, number>;
}

const KINDS: readonly VectorKind[] = ['faces', 'references', 'means'];
const SOMEWHERE = Float32Array.of(1);

/**
 * The rows, the changes of one reader, and one index, for tests of races. A scheduler chooses when each call takes
 * effect and when its promise settles.
 */
export class RaceWorld {
  onEffect: () => void = () => undefined;
  readonly #scheduler: Turns;
  readonly #rows: Content = new Map();
  #reader: Registration | null = null;
  #live: Content | null = null;
  #draft: Content | null = null;
  #noteIds = 0;

  constructor(scheduler: Turns) {
    this.#scheduler = scheduler;
  }

  /** Connects another process to this world. */
  connect(): RebuildDeps {
    return { source: this.#source(), changeLog: this.#changeLog(), index: this.#index() };
  }

  async applyAll(events: readonly RaceEvent[]): Promise<void> {
    for (const event of events) await this.#call(() => this.apply(event));
  }

  /** Applies an event at once. */
  apply(event: RaceEvent): void {
    if (event === 'index lost') this.#live = null;
    else if (event === 'reader forgotten') this.#reader = null;
    else this.#write(event);
  }

  /**
   * The ids whose row differs from the point in the index without a pending change, although matching may use the
   * index.
   */
  blindSpots(): number[] {
    const [live, reader] = [this.#live, this.#reader];
    if (live === null || reader?.filled !== true) return [];
    const noted = new Set(reader.notes.values());
    const ids = new Set([...this.#rows.keys(), ...live.keys()]);
    return [...ids].filter((id) => this.#rows.get(id) !== live.get(id) && !noted.has(id));
  }

  /** Whether matching may use the index. */
  get serves(): boolean {
    return this.#live !== null && this.#reader?.filled === true;
  }

  get rows(): ReadonlyMap<number, number | null> {
    return this.#rows;
  }

  /** The points of the index; null while it is incomplete. */
  get indexed(): ReadonlyMap<number, number | null> | null {
    return this.#live;
  }

  #write({ id, identityId }: Exclude<RaceEvent, string>): void {
    if (identityId === 'deleted') this.#rows.delete(id);
    else this.#rows.set(id, identityId);
    this.#note([id]);
  }

  #note(ids: readonly number[]): void {
    for (const id of ids) this.#reader?.notes.set(++this.#noteIds, id);
  }

  async #call<T>(effect: () => T): Promise<T> {
    await this.#scheduler.schedule(Promise.resolve());
    const result = effect();
    this.onEffect();
    await this.#scheduler.schedule(Promise.resolve());
    return result;
  }

  #source(): RebuildDeps['source'] {
    const read = (isRead: (id: number) => boolean) =>
      this.#call(() => [...this.#rows].filter(([id]) => isRead(id)).map(toPoint));
    return {
      points: (_, ids) => read((id) => ids.includes(id)),
      scan: async (kind, { after }) => {
        const points = await read((id) => id > after.id && kindOf(id) === kind);
        return points.map((point) => ({ space: spaceOf(kind), point }));
      },
    };
  }

  #changeLog(): ChangeLog {
    let seen: Registration | null = null;
    const stateOf = (reader: Registration | null): ReaderState =>
      reader === null ? 'missing' : reader.filled ? 'filled' : 'unfilled';
    return {
      reader: 'shared',
      follow: () =>
        this.#call(() => void (seen = this.#reader = { filled: false, notes: new Map() })),
      state: () => this.#call(() => stateOf((seen = this.#reader))),
      filled: () =>
        this.#call(() => {
          if (seen === null || seen !== this.#reader) return false;
          return (seen.filled = true);
        }),
      changes: () => this.#call(() => [...(this.#reader?.notes ?? [])].map(toChange)),
      acknowledge: (changes) =>
        this.#call(() => changes.filter(({ id }) => this.#reader?.notes.delete(id)).length),
      note: (_, ids) => this.#call(() => this.#note(ids)),
      backlog: () => this.#call(() => this.#reader?.notes.size ?? 0),
      keepAlive: () => Promise.reject(new Error('keepAlive is not used here')),
      compared: () => Promise.reject(new Error('compared is not used here')),
      leave: () => Promise.reject(new Error('leave is not used here')),
    };
  }

  #index(): RebuildDeps['index'] {
    const live = () => this.#live;
    return {
      ...this.#writer(live),
      state: () => this.#call(() => (this.#live === null ? 'incomplete' : 'ready')),
      begin: () => this.#call(() => this.#newDraft()),
    };
  }

  #newDraft(): VectorIndexDraft {
    const draft: Content = new Map();
    this.#draft = draft;
    const whileItIs = () => (this.#draft === draft ? draft : null);
    return {
      ...this.#writer(whileItIs),
      publish: () =>
        this.#call(() => {
          this.#live = required(whileItIs());
          this.#draft = null;
        }),
      discard: () => this.#call(() => void (this.#draft = whileItIs() ? null : this.#draft)),
    };
  }

  #writer(content: () => Content | null): Pick<VectorIndex, 'upsert' | 'remove'> {
    return {
      upsert: (_, points) =>
        this.#call(() => {
          for (const { id, identityId } of points) required(content()).set(id, identityId);
        }),
      remove: (_, ids) =>
        this.#call(() => {
          for (const id of ids) required(content()).delete(id);
        }),
    };
  }
}

function required(content: Content | null): Content {
  if (content === null) throw new VectorsUnavailable('The index is incomplete.');
  return content;
}

function kindOf(id: number): VectorKind {
  return KINDS[id % KINDS.length]!;
}

function spaceOf(kind: VectorKind): VectorSpace {
  return { environmentId: 1, modelId: 1, kind, dimension: 1 };
}

function toPoint([id, identityId]: readonly [number, number | null]): VectorPoint {
  return { id, identityId, fingerprint: 0, vector: SOMEWHERE };
}

function toChange([id, entityId]: readonly [number, number]): VectorChange {
  return { id, entityId, space: spaceOf(kindOf(entityId)) };
}
