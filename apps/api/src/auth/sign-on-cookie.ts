import type { IncomingHttpHeaders } from 'node:http';
import { SIGN_ON_SECONDS } from '@sightline/core/accounts/pending-sign-on';
import { cookiesOf } from './cookies-of.ts';

const NAME = 'sightline_oidc';

/**
 * The cookie that contains a sealed sign-in at the identity provider. It is sent with the answer of the provider, which is
 * a request that another site causes; the cookie of the session is not.
 */
export class SignOnCookie {
  readonly #name: string;
  readonly #attributes: string;

  /**
   * @param isSecure whether browsers reach the service by https. The name then begins with `__Secure-`, so that pages
   *   which were sent without https cannot set the cookie.
   */
  constructor(isSecure: boolean) {
    this.#name = isSecure ? `__Secure-${NAME}` : NAME;
    this.#attributes = `Path=/api/auth/oidc; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  }

  /** Returns null if there is no cookie, or more than one, because another page may have set one of them. */
  read(headers: IncomingHttpHeaders): string | null {
    const values = cookiesOf(headers, this.#name);
    return values.length === 1 ? values[0]! : null;
  }

  /** The header `Set-Cookie` with a sealed sign-in. */
  set(sealed: string): string {
    return `${this.#name}=${sealed}; Max-Age=${SIGN_ON_SECONDS}; ${this.#attributes}`;
  }

  /** The header `Set-Cookie` that removes the cookie. */
  clear(): string {
    return `${this.#name}=; Max-Age=0; ${this.#attributes}`;
  }
}
