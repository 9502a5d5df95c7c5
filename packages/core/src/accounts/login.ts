/** A person's account at an identity provider. */
export interface Login {
  readonly issuer: string;
  /** The name by which the issuer knows the person. It never changes, unlike an e-mail address. */
  readonly subject: string;
}

/** The personal data that a provider has of a login. The account's own data may differ. */
export interface LoginProfile {
  /** As the provider writes it; null if it gives none. */
  readonly email: string | null;
  /** Whether the provider says that it has checked the e-mail address. */
  readonly isEmailVerified: boolean;
  readonly name: string | null;
}

/** The stored hash of accounts that have no password. It is the hash of no password. */
export const NO_PASSWORD = '';
