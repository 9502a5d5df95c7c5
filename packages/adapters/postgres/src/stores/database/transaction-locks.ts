import type { EntityLock } from '@sightline/core/store/entity-lock';
import type { RequireLocks } from '../../doors/doors.ts';

/** Checks that a writing transaction holds the locks that its stores need. */
export class TransactionLocks {
  readonly #require: RequireLocks;
  /**
   * The ids of rows that this transaction created. They need no lock, because other transactions do not see them yet.
   */
  readonly #own = { identity: new Set<number>(), detection: new Set<number>() };

  constructor(require: RequireLocks) {
    this.#require = require;
  }

  require(...locks: readonly EntityLock[]): void {
    this.#require(...locks.filter((lock) => !this.#isOwn(lock)));
  }

  requireIdentities(ids: readonly number[], mode: 'shared' | 'exclusive'): void {
    this.require(...ids.map((id): EntityLock => ({ entity: 'identity', id, mode })));
  }

  requireDetections(ids: readonly number[]): void {
    this.require(...ids.map((id): EntityLock => ({ entity: 'detection', id })));
  }

  noteNew(entity: 'identity' | 'detection', ids: readonly number[]): void {
    for (const id of ids) this.#own[entity].add(id);
  }

  #isOwn(lock: EntityLock): boolean {
    if (lock.entity !== 'identity' && lock.entity !== 'detection') return false;
    return this.#own[lock.entity].has(lock.id);
  }
}
