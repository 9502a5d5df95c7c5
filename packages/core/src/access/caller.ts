/** The rights that a caller may have in an environment. Each right includes those before it. */
export const ACCESS_RIGHTS = ['read', 'review', 'full', 'owner'] as const;

export type AccessRight = (typeof ACCESS_RIGHTS)[number];

export function includesRight(held: AccessRight, needed: AccessRight): boolean {
  return ACCESS_RIGHTS.indexOf(held) >= ACCESS_RIGHTS.indexOf(needed);
}

/** The client that sent a request to an environment, identified by an API key or by the session of an account. */
export interface Caller {
  /** Null for a session. */
  readonly keyId: number | null;
  /** The account that signed in; null for a key. */
  readonly accountId: string | null;
  readonly environmentId: number;
  /**
   * The account that owns the environment, and whose environments share what a process has; null if it is that of an
   * administrator, who may own all environments of an installation, or if there is none.
   */
  readonly countedOwnerId: string | null;
  readonly right: AccessRight;
  /** Whether the caller may change settings of the installation, and models. */
  readonly isAdmin: boolean;
}
