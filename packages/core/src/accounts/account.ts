/** A person who can sign in. */
export interface Account {
  /** A UUID. */
  readonly id: string;
  /** In the form of {@link normalizeEmail}; unique in the installation. */
  readonly email: string;
  /**
   * Whether an administrator or the operator of the installation gave the address. An invitation of another account proves
   * nothing: its author may accept it, too.
   */
  readonly emailVerified: boolean;
  readonly name: string;
  /** The language of the person's pages, a BCP 47 tag such as `de`; null if the browser decides. */
  readonly locale: string | null;
  readonly isAdmin: boolean;
  readonly isDisabled: boolean;
  /**
   * The author of the password: the person, an administrator, or the service at its first start. A person has to
   * replace the password of an administrator, and should replace that of the service.
   */
  readonly passwordBy: 'owner' | 'administrator' | 'service';
  /** The environment of requests that name none; null for the oldest one. */
  readonly defaultEnvironmentId: number | null;
  readonly createdAt: Date;
}

/** An account that acts by a request. */
export interface AccountActor {
  readonly accountId: string;
  readonly requestId: string;
}

/** The roles of members of an environment; each role includes the rights of those before it. */
export const MEMBER_ROLES = ['viewer', 'reviewer', 'editor', 'owner'] as const;

export type MemberRole = (typeof MEMBER_ROLES)[number];

/** The form of e-mail addresses that HTML accepts, so that a page may check it, too. `admin@localhost` is one. */
export const EMAIL =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;

/** Returns the form in which e-mail addresses are stored and compared. */
export function normalizeEmail(email: string): string {
  return email.normalize('NFC').trim().toLowerCase();
}

/** The name of an account whose person gave none. */
export function nameOf(email: string): string {
  return email.slice(0, email.lastIndexOf('@'));
}
