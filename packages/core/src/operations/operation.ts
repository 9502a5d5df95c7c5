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
 * The operation to which the transactions of a request belong. The first transaction that changes something creates it,
 * so a request that changes nothing has none.
 */
export class CurrentOperation {
  readonly kind: OperationKind;
  #id: number | null = null;
  #undoes: number | null = null;

  constructor(kind: OperationKind) {
    this.kind = kind;
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
}

/** An operation as it is listed. */
export interface Operation {
  readonly id: number;
  readonly kind: OperationKind;
  /** The account that was signed in; null for a key and for the service. */
  readonly accountId: string | null;
  readonly keyId: number | null;
  readonly createdAt: Date;
  /** The number of changed detections, identities and images. */
  readonly count: number;
  /** When the values from before the operation are deleted, after which it cannot be undone. */
  readonly expiresAt: Date;
  readonly undoes: number | null;
  readonly undoneBy: number | null;
  /** Whether the values from before are there. */
  readonly isKept: boolean;
}

export type SubjectKind = 'detection' | 'identity' | 'image';

/** What an operation changed: a detection with its references and rejections, an identity, or an image. */
export interface Subject {
  readonly kind: SubjectKind;
  readonly id: number;
}

/** A part of a subject that an operation changed. */
export interface OperationItem extends Subject {
  readonly part: 'row' | 'reference' | 'rejection' | 'vector' | 'mark';
  /** The id of the reference, of the identity of the rejection, or of the model; 0 for the row of the subject. */
  readonly partId: number;
  /** The values of the row; null if the operation created it. */
  readonly before: Readonly<Record<string, unknown>> | null;
  /** The values that decisions change, after the operation; null if it deleted the row. */
  readonly after: Readonly<Record<string, unknown>> | null;
  /** Whether the row is still as the operation left it. */
  readonly isAsLeft: boolean;
}
