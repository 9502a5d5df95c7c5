/** The rights of a caller: everything, or reading alone. */
export type AccessRight = 'full' | 'read';

/** The sender of a request, according to its API key. */
export interface Caller {
  readonly keyId: number;
  readonly environmentId: number;
  readonly right: AccessRight;
  /** May write settings of the installation, and models. */
  readonly isAdmin: boolean;
}
