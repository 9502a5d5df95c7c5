import type { IncomingHttpHeaders } from 'node:http';
import { Unauthenticated } from '@sightline/core/access/access-errors';
import { SESSION_DAYS } from '@sightline/core/accounts/session-store';
import { cookiesOf } from './cookies-of.ts';

const NAME = 'sightline_session';
const SECONDS = SESSION_DAYS * 86_400;

/** The cookie that contains the token of a session. */
export class SessionCookie {
  readonly #name: string;
  readonly #attributes: string;

  /**
   * @param isSecure whether browsers reach the service by https. The name then begins with `__Host-`, so that browsers
   *   accept the cookie from this host alone.
   */
  constructor(isSecure: boolean) {
    this.#name = isSecure ? `__Host-${NAME}` : NAME;
    this.#attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
  }

  /**
   * Returns the token of a request, or null if there is none.
   *
   * @throws Unauthenticated if the cookie was sent twice, because another page may have set one of them
   */
  read(headers: IncomingHttpHeaders): string | null {
    const values = cookiesOf(headers, this.#name);
    if (values.length > 1) {
      throw new Unauthenticated('The request has two cookies of a session; it may have only one.');
    }
    return values[0] ?? null;
  }

  /** The header `Set-Cookie` that begins a session in the browser. */
  set(token: string): string {
    return `${this.#name}=${token}; Max-Age=${SECONDS}; ${this.#attributes}`;
  }

  /** The header `Set-Cookie` that removes the cookie. */
  clear(): string {
    return `${this.#name}=; Max-Age=0; ${this.#attributes}`;
  }
}
