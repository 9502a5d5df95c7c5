import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { Unauthenticated } from '@sightline/core/access/access-errors';
import { SESSION_DAYS } from '@sightline/core/accounts/session-store';
import { cookiesOf } from './cookies-of.ts';

const NAME = 'sightline_session';
const SECONDS = SESSION_DAYS * 86_400;

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
   * these name all folders of the path, and all domains that the host belongs to. No others can have the secure name.
   *
   * @param origin the origin under which the browser reaches the service
   * @param path the path of the request
   */
  clearOthers(origin: string, path: string): readonly string[] {
    if (this.#isSecure) return [];
    const domains = domainsOf(URL.parse(origin)?.hostname ?? '');
    return foldersOf(path).flatMap((folder) => [
      ...(folder === '/' ? [] : [`${this.#name}=; Max-Age=0; Path=${folder}`]),
      ...domains.map((domain) => `${this.#name}=; Max-Age=0; Path=${folder}; Domain=${domain}`),
    ]);
  }

  /** The header `Set-Cookie` that removes the cookie. */
  clear(): string {
    return `${this.#name}=; Max-Age=0; ${this.#attributes}`;
  }
}

/** The folders of `/a/b`: `/`, `/a`, `/a/` and `/a/b`. */
function foldersOf(path: string): readonly string[] {
  const ends = [...path.matchAll(/\//g)].map(({ index }) => index);
  const folders = ends.flatMap((end) => [path.slice(0, end), path.slice(0, end + 1)]);
  return [...folders.filter((folder) => folder !== ''), path];
}

/** The domains of a host name, without the top one; none for an address. */
function domainsOf(host: string): readonly string[] {
  if (isIP(host.replace(/^\[|\]$/g, '')) !== 0) return [];
  const labels = host.split('.');
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'));
}
