import type { DeletingIdentity } from '../identities/deleting-identity.ts';
import type { Page } from '../store/page.ts';
import type { OperationKind } from '../store/current-operation.ts';
import type { ChangedSubject, Operation, OperationItem, Subject } from './operation.ts';

export interface OperationFilter {
  readonly identityId?: number | undefined;
  readonly detectionId?: number | undefined;
  readonly kind?: OperationKind | undefined;
  readonly accountId?: string | undefined;
  readonly keyId?: number | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

export interface OperationReader {
  byId(id: number): Promise<Operation | null>;
  /** Lists operations, newest first, before an id. */
  list(
    filter: OperationFilter,
    page: { readonly before: number | null; readonly limit: number },
  ): Promise<Page<Operation>>;
  /** Lists what an operation changed: identities, images, then detections, each by id, after a subject. */
  subjects(
    id: number,
    page: { readonly after: Subject | null; readonly limit: number },
  ): Promise<Page<Subject>>;
  /**
   * Returns the items of subjects that were not taken back, with whether their rows are as the operation left them. The
   * items of a subject follow each other.
   */
  items(id: number, subjects: readonly Subject[]): Promise<readonly OperationItem[]>;
  /** The identities of an operation whose rows other transactions still move or delete. */
  unfinished(id: number): Promise<readonly DeletingIdentity[]>;
}

/** The subjects to take back, whose rows are as the operation left them, with all items that were not taken back. */
export interface Reversal {
  readonly operationId: number;
  readonly subjects: readonly ChangedSubject[];
  /** The label of the identity whose own is in use; null if there should be none. */
  readonly label: string | null;
}

/** The transaction must have locked the environment. */
export interface OperationWriter extends OperationReader {
  /** Begins the operation of the scope before it changes anything, for a job that carries it out. */
  begin(): Promise<void>;
  /** Reads an operation, and keeps its values until the end of the transaction. */
  lock(id: number): Promise<Operation | null>;
  /** Returns the keys of files that no operation keeps, so that they can be removed. */
  discardable(keys: readonly string[]): Promise<readonly string[]>;
  /**
   * Returns deleted rows and restores the values of others. References are not among them, because their means change
   * with them; nor are rows that the operation inserted.
   *
   * @throws IdentityExists if another identity has the label
   */
  restore(reversal: Reversal): Promise<void>;
  /** Records which operation takes subjects of another one back: that of this transaction. */
  markReverted(operationId: number, subjects: readonly Subject[]): Promise<void>;
  /** Records that an operation was taken back by that of this transaction. An operation that it took back is valid again. */
  markUndone(operation: Operation): Promise<void>;
}

/** Deletes what operations keep. All methods throw StoreUnavailable. */
export interface OperationPruner {
  /**
   * Deletes some thousand values of operations that have expired, in one transaction. Returns the keys of files that they
   * kept, if any; null if none has values.
   */
  clear(signal?: AbortSignal): Promise<readonly string[] | null>;
  /** Deletes operations that are older than this number of days, and have no values. */
  prune(days: number, signal?: AbortSignal): Promise<void>;
}
