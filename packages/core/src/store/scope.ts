import type { CurrentOperation } from './current-operation.ts';
import type { Actor } from './actor.ts';

/** The environment that owns data. Every read and write of tenant data happens within one scope. */
export interface Scope {
  readonly environmentId: number;
  /** The one who acts in it, for the audit; the service if absent. */
  readonly actor?: Actor;
  /** The operation to which changes belong that people can take back; absent if they belong to none. */
  readonly operation?: CurrentOperation;
}
