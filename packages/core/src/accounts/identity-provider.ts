import type { Login, LoginProfile } from './login.ts';

/** The values that tie the answer of a provider to the browser that has asked for it. */
export interface SignOnSecrets {
  readonly state: string;
  readonly nonce: string;
  /** The secret of PKCE. */
  readonly verifier: string;
}

export interface ProvenLogin {
  readonly login: Login;
  /** Reads the personal data, which may take a request. @throws IdentityProviderUnavailable, SignOnInvalid */
  readonly profile: () => Promise<LoginProfile>;
}

/** The OpenID provider of the installation. */
export interface IdentityProvider {
  readonly issuer: string;
  /** Whether unknown people with a checked e-mail address get an account. */
  readonly allowsSignUp: boolean;
  /**
   * Returns the address at which a person signs in.
   *
   * @throws IdentityProviderUnavailable
   */
  addressFor(secrets: SignOnSecrets, signal?: AbortSignal): Promise<string>;
  /**
   * Exchanges the code of an answer for the login of a person, and checks everything that the provider has signed. It
   * cannot be aborted, but takes a limited time.
   *
   * @param answer the query of the callback
   * @throws SignOnDenied, SignOnExpired, SignOnInvalid, IdentityProviderUnavailable
   */
  verify(answer: URLSearchParams, secrets: SignOnSecrets): Promise<ProvenLogin>;
}
