export type AccessRight = 'full' | 'read';

/** The client that sent a request, identified by its API key. */
export interface Caller {
  readonly keyId: number;
  readonly environmentId: number;
  readonly right: AccessRight;
  /** Whether the caller may change settings of the installation, and models. */
  readonly isAdmin: boolean;
}
