/** The kinds of requests that change what people decided, or what they deleted. */
export const OPERATION_KINDS = [
  'review',
  'bulk_review',
  'relabel',
  'dismiss',
  'enroll',
  'revoke',
  'cover',
  'rename',
  'external_ref',
  'merge',
  'delete_detections',
  'delete_identities',
  'delete_images',
  'replace',
  'bulk_detections',
  'bulk_images',
  'cluster_label',
  'cluster_dismiss',
  'undo',
] as const;

export type OperationKind = (typeof OPERATION_KINDS)[number];

/**
 * The operation to which the transactions of a request or a job belong. The first transaction that changes something
 * creates it, so a request that changes nothing has none. A job has one from its beginning, which lists show once it has
 * changed something.
 */
export class CurrentOperation {
  readonly kind: OperationKind;
  /** Whether nothing of what it deletes is kept, also by earlier operations. */
  readonly isPurge: boolean;
  /** Whether only the changes within `Transaction.record` belong to it, instead of all changes of its transactions. */
  readonly isSelective: boolean;
  #id: number | null = null;
  #undoes: number | null = null;
  #turn: Promise<undefined> = Promise.resolve(undefined);

  /** @param options.id the id of an operation that has begun, for a job that continues it */
  constructor(
    kind: OperationKind,
    {
      isPurge = false,
      isSelective = false,
      id = null,
    }: {
      readonly isPurge?: boolean;
      readonly isSelective?: boolean;
      readonly id?: number | null;
    } = {},
  ) {
    this.kind = kind;
    this.isPurge = isPurge;
    this.isSelective = isSelective;
    this.#id = id;
  }

  /** Null until a transaction that changed something has been committed. */
  get id(): number | null {
    return this.#id;
  }

  /** The operation that this one takes back; null if it takes none back. */
  get undoes(): number | null {
    return this.#undoes;
  }

  /** Called after the commit of a transaction that belongs to the operation. */
  begun(id: number): void {
    this.#id = id;
  }

  takesBack(id: number): void {
    this.#undoes = id;
  }

  /**
   * Waits until no other transaction is about to begin the operation, because several ones at the same time would begin
   * several operations. The returned function ends the caller's turn, after its transaction.
   */
  async takeTurn(): Promise<() => void> {
    const before = this.#turn;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#turn = promise;
    await before;
    return () => resolve(undefined);
  }
}
