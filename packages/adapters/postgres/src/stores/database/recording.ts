import type { Actor } from '@sightline/core/store/actor';
import type { CurrentOperation } from '@sightline/core/store/current-operation';
import { beginOperation, CURRENT_OPERATION } from '../../doors/begin-operation.ts';
import type { TransactionSession } from '../../doors/transaction-session.ts';

interface Recorded {
  readonly session: TransactionSession;
  readonly environmentId: number;
  readonly actor: Actor;
  readonly operation: CurrentOperation | undefined;
}

/** Names the operation of a transaction. The triggers record changes while the transaction names one. */
export class Recording {
  readonly #recorded: Recorded;
  #id: number | null;
  #endTurn: () => void = () => undefined;

  constructor(recorded: Recorded) {
    this.#recorded = recorded;
    this.#id = recorded.operation?.id ?? null;
  }

  /** The statement with which the transaction begins; undefined if it needs none. */
  static toBegin({
    environmentId,
    actor,
    operation,
  }: Omit<Recorded, 'session'>): string | undefined {
    if (operation === undefined) return undefined;
    if (!operation.isSelective) return beginOperation(environmentId, actor, operation);
    // The answer of the request is stored with the id.
    return operation.id === null
      ? undefined
      : `SELECT set_config('sightline.operation_id', '${operation.id}', true)`;
  }

  /** Makes changes that belong to the operation, and returns its id; null if there is none. */
  async record(change: () => Promise<void>): Promise<number | null> {
    const { session, environmentId, actor, operation } = this.#recorded;
    if (operation?.isSelective !== true) {
      await change();
      return operation === undefined ? null : this.#current();
    }
    await this.#takeTurn(operation);
    const { kind, undoes, isPurge } = operation;
    await session.query(
      beginOperation(environmentId, actor, { id: this.#id, kind, undoes, isPurge }),
    );
    try {
      await change();
      return await this.#suspend();
    } catch (error) {
      // An attempt that lacks locks continues in the same transaction. After other errors it fails.
      await this.#suspend().catch(() => undefined);
      throw error;
    }
  }

  /** The operation that the transaction has begun; null if it has changed nothing, or an earlier one has begun it. */
  async begun(): Promise<number | null> {
    const { operation } = this.#recorded;
    if (operation?.id !== null) return null;
    return operation.isSelective ? this.#id : this.#current();
  }

  /** Lets other transactions begin the operation, after this one has ended. */
  end(): void {
    this.#endTurn();
  }

  async #takeTurn(operation: CurrentOperation): Promise<void> {
    if (this.#id !== null) return;
    this.#endTurn = await operation.takeTurn();
    this.#id = operation.id;
    if (this.#id !== null) this.#endTurn();
  }

  async #suspend(): Promise<number | null> {
    const [row] = await this.#recorded.session.query<{ id: number | null }>(
      `SELECT set_config('sightline.operation', '', true), ${CURRENT_OPERATION} AS id`,
    );
    this.#id = row!.id;
    return this.#id;
  }

  async #current(): Promise<number | null> {
    const [row] = await this.#recorded.session.query<{ id: number | null }>(
      `SELECT ${CURRENT_OPERATION} AS id`,
    );
    return row!.id;
  }
}
