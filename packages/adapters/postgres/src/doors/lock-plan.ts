import { createHash } from 'node:crypto';
import type { ModelSlot } from '@sightline/core/models/model-slot';
import type { EntityLock } from '@sightline/core/store/entity-lock';

/**
 * The maximum number of entity locks of a transaction. Beyond it, the transaction locks the whole environment, because
 * the server's lock table is small.
 */
const MAX_ENTITIES = 500;

/** The class numbers in lock keys. Locks are taken in this order, except that models come first. */
const CLASSES = {
  environment: 1n,
  source: 2n,
  label: 3n,
  identity: 4n,
  detection: 5n,
  models: 6n,
} as const;
const PAYLOAD_BITS = 60n;
const FIRST_OF_MODELS = CLASSES.models << PAYLOAD_BITS;

type Mode = 'shared' | 'exclusive';

/**
 * The advisory locks of a writing transaction. To avoid deadlocks, every transaction takes its locks in the same order
 * (by class, then by key) and each lock once. A transaction that locks single entities also holds a shared lock on the
 * environment.
 */
export class LockPlan {
  readonly #environmentId: number;
  /** The mode for each lock key. Exclusive wins if a lock is requested in both modes. */
  readonly #entities: ReadonlyMap<bigint, Mode>;
  readonly #wholeEnvironment: boolean;

  private constructor(base: LockPlan | number, locks: readonly EntityLock[]) {
    const isNew = typeof base === 'number';
    const environmentId = isNew ? base : base.#environmentId;
    const entities = new Map(isNew ? [] : base.#entities);
    for (const lock of locks) {
      if (lock.entity === 'environment') continue;
      const key = keyOf(environmentId, lock);
      if (entities.get(key) !== 'exclusive') entities.set(key, modeOf(lock));
    }
    this.#environmentId = environmentId;
    this.#entities = entities;
    this.#wholeEnvironment =
      (!isNew && base.#wholeEnvironment) ||
      locks.some(({ entity }) => entity === 'environment') ||
      entities.size > MAX_ENTITIES;
  }

  static of(environmentId: number, locks: readonly EntityLock[]): LockPlan {
    return new LockPlan(environmentId, locks);
  }

  with(locks: readonly EntityLock[]): LockPlan {
    return new LockPlan(this, locks);
  }

  covers(lock: EntityLock): boolean {
    if (lock.entity !== 'models' && this.#wholeEnvironment) return true;
    if (lock.entity === 'environment') return false;
    const held = this.#entities.get(keyOf(this.#environmentId, lock));
    return held === 'exclusive' || (held === 'shared' && modeOf(lock) === 'shared');
  }

  /**
   * Whether all of these locks come later in the lock order than the locks of this plan. If so, a transaction that
   * holds this plan may wait for them without a deadlock.
   */
  precedes(locks: readonly EntityLock[]): boolean {
    if (this.with(locks).#wholeEnvironment) return false;
    const held = [...this.#entities.keys()].filter((key) => key < FIRST_OF_MODELS);
    const last = held.reduce((a, b) => (a > b ? a : b), 0n);
    return locks.every(
      (lock) =>
        lock.entity !== 'environment' &&
        lock.entity !== 'models' &&
        keyOf(this.#environmentId, lock) > last,
    );
  }

  /** The statement that takes the locks until the end of the transaction. */
  toSql(): string {
    const environment = environmentLockKey(this.#environmentId);
    const sorted = [...this.#entities].sort(([a], [b]) => (a < b ? -1 : 1));
    const models = sorted.filter(([key]) => key >= FIRST_OF_MODELS);
    const entities = sorted.filter(([key]) => key < FIRST_OF_MODELS);
    const calls: readonly (readonly [bigint, Mode])[] = this.#wholeEnvironment
      ? [...models, [environment, 'exclusive']]
      : [...models, [environment, 'shared'], ...entities];
    // Postgres evaluates a select list from left to right, so the locks are taken in the order of the list.
    return `SELECT ${calls.map(([key, mode]) => lockCall(key, mode)).join(', ')}`;
  }
}

/**
 * The key of the lock on the active model of a slot. Transactions that store vectors take a shared lock on that of the
 * faces; a transaction that replaces the model takes an exclusive lock.
 */
export function slotLockKey(slot: ModelSlot): bigint {
  return FIRST_OF_MODELS | (slot === 'face' ? 0n : 1n);
}

/** The key of the lock on a whole environment. Every writing transaction within the environment holds it, shared or not. */
export function environmentLockKey(environmentId: number): bigint {
  return (CLASSES.environment << PAYLOAD_BITS) | BigInt(environmentId);
}

function lockCall(key: bigint, mode: Mode): string {
  return `pg_advisory_xact_lock${mode === 'shared' ? '_shared' : ''}(${key})`;
}

function modeOf(lock: EntityLock): Mode {
  if (lock.entity === 'models') return 'shared';
  return lock.entity === 'identity' ? lock.mode : 'exclusive';
}

/** The 64-bit key of an entity: its class and its id. A key without an id has 60 bits of a hash instead. */
function keyOf(
  environmentId: number,
  lock: Exclude<EntityLock, { entity: 'environment' }>,
): bigint {
  if (lock.entity === 'models') return slotLockKey('face');
  return (CLASSES[lock.entity] << PAYLOAD_BITS) | payloadOf(environmentId, lock);
}

function payloadOf(
  environmentId: number,
  lock: Exclude<EntityLock, { entity: 'environment' | 'models' }>,
): bigint {
  switch (lock.entity) {
    case 'source':
      return hash(environmentId, lock.digest);
    case 'label':
      return hash(environmentId, lock.type, lock.label);
    case 'identity':
    case 'detection':
      return BigInt(lock.id);
  }
}

function hash(...parts: readonly (string | number)[]): bigint {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest();
  return digest.readBigUInt64BE() >> (64n - PAYLOAD_BITS);
}
