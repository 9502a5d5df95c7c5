import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { Unauthenticated } from '@sightline/core/access/access-errors';
import { SESSION_DAYS } from '@sightline/core/accounts/session-store';
import { LONGEST_HOST_NAME } from '@sightline/platform/http/require-host';
import { cookiesOf } from './cookies-of.ts';

const NAME = 'sightline_session';
const SECONDS = SESSION_DAYS * 86_400;
/** The paths of the pages and of the endpoints of accounts. A cookie that is limited to one is sent before that of `/`. */
const PATHS = [
  '/',
  ...['/api', '/api/auth', '/api/account', '/console'].flatMap((path) => [path, `${path}/`]),
];
/** The most labels of a domain that is not the whole host name. */
const MOST_LABELS = 4;

/** The cookie that contains the token of a session. */
export class SessionCookie {
  readonly #name: string;
  readonly #attributes: string;
  readonly #isSecure: boolean;

  /**
   * @param isSecure whether browsers reach the service by https. The name then begins with `__Host-`, so that browsers
   *   accept the cookie from this host alone.
   */
  constructor(isSecure: boolean) {
    this.#isSecure = isSecure;
    this.#name = isSecure ? `__Host-${NAME}` : NAME;
    this.#attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
  }

  /**
   * Returns the token of a request, or null if there is none.
   *
   * @throws Unauthenticated if the cookie was sent twice, because another page may have set one of them
   */
  read(headers: IncomingHttpHeaders): string | null {
    const [token = null, ...others] = this.readAll(headers);
    if (others.length > 0) {
      throw new Unauthenticated('The request has two cookies of a session; it may have only one.');
    }
    return token;
  }

  /** Returns the tokens of all cookies of sessions. */
  readAll(headers: IncomingHttpHeaders): readonly string[] {
    return cookiesOf(headers, this.#name);
  }

  /** The header `Set-Cookie` that begins a session in the browser. */
  set(token: string): string {
    return `${this.#name}=${token}; Max-Age=${SECONDS}; ${this.#attributes}`;
  }

  /**
   * The headers `Set-Cookie` that remove other cookies of the same name. A browser does not tell how they were set, so
   * these name all domains whose pages are near the service, and the paths to which such a page would limit a cookie. No
   * others can have the secure name.
   *
   * @param origin the origin under which the browser reaches the service
   */
  clearOthers(origin: string): readonly string[] {
    if (this.#isSecure) return [];
    const domains = domainsOf(URL.parse(origin)?.hostname ?? '').map((name) => `; Domain=${name}`);
    return PATHS.flatMap((path) => {
      // The cookie of the service has the path `/` and no domain.
      const scopes = path === '/' ? domains : ['', ...domains];
      return scopes.map((scope) => `${this.#name}=; Max-Age=0; Path=${path}${scope}`);
    });
  }

  /** The header `Set-Cookie` that removes the cookie. */
  clear(): string {
    return `${this.#name}=; Max-Age=0; ${this.#attributes}`;
  }
}

/**
 * The domains of a host name, without the top one; none for an address. The client chooses the name, so they are few: the
 * name itself, and those of its last labels.
 */
function domainsOf(host: string): readonly string[] {
  if (host.length > LONGEST_HOST_NAME || isIP(host.replace(/^\[|\]$/g, '')) !== 0) return [];
  const labels = host.split('.');
  const lengths = labels.map((_, index) => labels.length - index).slice(0, -1);
  return lengths
    .filter((length) => length === labels.length || length <= MOST_LABELS)
    .map((length) => labels.slice(-length).join('.'));
}
