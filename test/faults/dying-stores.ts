import type { MediaStore } from '@sightline/core/media/media-store';
import type {
  Database,
  DeferredWrites,
  Stores,
  Transaction,
} from '@sightline/core/database/database';
import type { EntityLock } from '@sightline/core/store/entity-lock';
import type { Scope } from '@sightline/core/store/scope';
import type { VectorIndex } from '@sightline/core/vectors/vector-index';

/** The points of a change at which a test lets a process die. */
export const DYING_POINTS = [
  'after-media-put',
  'before-commit',
  'after-commit',
  'before-index-upsert',
] as const;

/** The points of the background that follows similarity. Its transactions do not count at other points. */
type SimilarityPoint = 'before-similarity-commit' | 'after-similarity-commit';

export type DyingPoint =
  (typeof DYING_POINTS)[number] | SimilarityPoint | 'after-read' | 'after-flush';

/** Kills the process if the test lets it die at this point. */
export type Pass = (point: DyingPoint) => void;

/** A media store that passes a point of death after every put. */
export function dyingMedia(media: MediaStore, pass: Pass): MediaStore {
  return {
    async put(key, bytes, signal) {
      await media.put(key, bytes, signal);
      pass('after-media-put');
    },
    async putFile(key, file, signal) {
      await media.putFile(key, file, signal);
      pass('after-media-put');
    },
    open: (key, range, signal) => media.open(key, range, signal),
    remove: (keys, signal) => media.remove(keys, signal),
    list: (prefix, signal) => media.list(prefix, signal),
    freeBytes: (signal) => media.freeBytes(signal),
    requireAnswer: (signal) => media.requireAnswer(signal),
    check: (signal) => media.check(signal),
  };
}

type WriteScope = Scope & { readonly locks: readonly EntityLock[] };

/** A database that passes points of death after reads, before a commit and after it. */
export class DyingDatabase implements Database {
  readonly #database: Database;
  readonly #pass: Pass;

  constructor(database: Database, pass: Pass) {
    this.#database = database;
    this.#pass = pass;
  }

  async withScope<T>(
    scope: Scope,
    read: (stores: Stores) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const isSimilarity = isCalledBySimilarity();
    const result = await this.#database.withScope(scope, read, signal);
    if (!isSimilarity) this.#pass('after-read');
    return result;
  }

  withEntities<T>(
    scope: WriteScope,
    write: (transaction: Transaction) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    return this.#write(this.#database, { scope, signal }, write);
  }

  /** Deferred transactions pass the same points. A flush that has ended passes one of its own. */
  deferred(): DeferredWrites {
    const deferred = this.#database.deferred();
    return {
      withEntities: (scope, write, signal) => this.#write(deferred, { scope, signal }, write),
      flush: async () => {
        await deferred.flush();
        this.#pass('after-flush');
      },
    };
  }

  async #write<T>(
    writes: Pick<Database, 'withEntities'>,
    { scope, signal }: { readonly scope: WriteScope; readonly signal: AbortSignal | undefined },
    write: (transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    const isSimilarity = isCalledBySimilarity();
    const result = await writes.withEntities(
      scope,
      async (transaction) => {
        const written = await write(transaction);
        this.#pass(isSimilarity ? 'before-similarity-commit' : 'before-commit');
        return written;
      },
      signal,
    );
    this.#pass(isSimilarity ? 'after-similarity-commit' : 'after-commit');
    return result;
  }

  ready(signal?: AbortSignal): Promise<boolean> {
    return this.#database.ready(signal);
  }
}

/** Whether the call comes from the follower of similarity, which works in the background at any time. */
function isCalledBySimilarity(): boolean {
  const { stack = '' } = new Error();
  return stack.includes('/core/src/similarity/');
}

/** An index that passes a point of death before every upsert. */
export function dyingIndex(index: VectorIndex, pass: Pass): VectorIndex {
  return {
    async upsert(space, points, signal) {
      pass('before-index-upsert');
      await index.upsert(space, points, signal);
    },
    remove: (space, ids, signal) => index.remove(space, ids, signal),
    searchIdentities: (space, query, signal) => index.searchIdentities(space, query, signal),
    searchPoints: (space, query, signal) => index.searchPoints(space, query, signal),
    list: (space, page, signal) => index.list(space, page, signal),
    dropEnvironment: (environmentId, signal) => index.dropEnvironment(environmentId, signal),
    state: (signal) => index.state(signal),
    requireAnswer: (signal) => index.requireAnswer(signal),
    begin: (signal) => index.begin(signal),
  };
}
