import type { OperationKind } from '../store/current-operation.ts';

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
  /** Whether a job that carries it out has not ended. */
  readonly isAtWork: boolean;
  /** Whether the values from before were kept, and are not deleted yet. */
  readonly isKept: boolean;
}

/** Whether the values from before are there. They may have expired and not be deleted yet. */
export function hasValues({ isKept, expiresAt }: Operation, now = Date.now()): boolean {
  return isKept && expiresAt.getTime() > now;
}

export type SubjectKind = 'detection' | 'identity' | 'image';

/** A changed detection with its references and rejections, a changed identity, or a changed image. */
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

/** A subject with everything that an operation changed of it. */
export interface ChangedSubject extends Subject {
  readonly items: readonly OperationItem[];
}
