import type { IncomingMessage } from 'node:http';
import {
  isForEnvironment,
  type EnvironmentRight,
  type RequiredRight,
} from '@sightline/contracts/define-contract';
import {
  AdminRequired,
  CrossSite,
  Forbidden,
  NoEnvironment,
  Unauthenticated,
} from '@sightline/core/access/access-errors';
import { type AccessRight, type Caller, includesRight } from '@sightline/core/access/caller';
import type { MemberRole } from '@sightline/core/accounts/account';
import { PasswordChangeRequired } from '@sightline/core/accounts/account-errors';
import type { Session, SessionAuthenticator } from '@sightline/core/accounts/session-authenticator';
import type { SessionOrigin } from '@sightline/core/accounts/session-store';
import type { KeyAuthenticator } from '@sightline/core/api-keys/key-authenticator';
import { NotFound } from '@sightline/core/store/not-found';
import { addressOf, holderAt, type TrustedProxies } from '@sightline/platform/http/client-address';
import { HttpError } from '@sightline/platform/http/http-errors';
import { siteOf } from './request-site.ts';
import type { SessionCookie } from './session-cookie.ts';

export interface AuthorizerDeps {
  readonly keys: Pick<KeyAuthenticator, 'authenticate'>;
  readonly sessions: Pick<SessionAuthenticator, 'authenticate'>;
  readonly cookie: Pick<SessionCookie, 'read' | 'readAll'>;
  /** The origin under which browsers reach the service; null for the host that a request names. */
  readonly publicOrigin: string | null;
  readonly proxies: Pick<TrustedProxies, 'clientOf'>;
}

/** The client of a request, whether or not it is known. */
export interface Visitor extends SessionOrigin {
  /** The address by which failed sign-ins are counted; all addresses of an IPv6 network are one. */
  readonly countedAddress: string;
  /** The origin under which the client reaches the service. */
  readonly serviceOrigin: string;
  /** The tokens of a request that has several cookies of sessions; empty for any other one. */
  readonly ambiguousTokens: readonly string[];
}

export interface Authorized {
  readonly visitor: Visitor;
  /** The caller of an endpoint of an environment. */
  readonly caller?: Caller;
  /** The session of the account that is signed in, unless a key was sent. */
  readonly session?: Session;
}

export interface AuthorizedRequest extends Pick<IncomingMessage, 'headers' | 'method'> {
  readonly socket: { readonly remoteAddress?: string | undefined };
}

const ENVIRONMENT_ID = /^[1-9]\d{0,15}$/;
const NO_SESSION = 'This request needs a session: sign in with POST /api/auth/sign-in/email.';

const RIGHT_OF: Readonly<Record<MemberRole, AccessRight>> = {
  viewer: 'read',
  reviewer: 'review',
  editor: 'full',
  owner: 'owner',
};

/** Finds out who sent a request, and whether they may send it. */
export class Authorizer {
  readonly #deps: AuthorizerDeps;

  constructor(deps: AuthorizerDeps) {
    this.#deps = deps;
  }

  /**
   * A key is valid wherever the request comes from. A session is valid only for requests from pages of this service, and
   * for reads that no page causes.
   *
   * @throws Unauthenticated, Forbidden, AdminRequired, CrossSite, PasswordChangeRequired, NoEnvironment; NotFound for an
   *   environment of others; HttpError invalid_request; StoreUnavailable
   */
  async authorize(
    right: RequiredRight,
    request: AuthorizedRequest,
    signal: AbortSignal,
  ): Promise<Authorized> {
    const visitor = this.#visitorOf(request);
    if (right === 'none') return { visitor };
    if (right === 'visitor') return { visitor, ...(await this.#openSession(request, signal)) };
    const key = request.headers['x-api-key'];
    if (isForEnvironment(right)) {
      if (key === undefined) {
        return { visitor, ...(await this.#bySession(right, request, signal)) };
      }
      // Node joins repeated headers with a comma. No key contains a comma, so repeated headers match no key.
      const caller = await this.#deps.keys.authenticate(String(key), signal);
      requireRight(right, caller);
      return { visitor, caller };
    }
    if (key !== undefined) throw new Unauthenticated(NO_SESSION);
    const session = await this.#session(request, null, signal);
    if (right !== 'signed-in') requireOwnPassword(session);
    if (right === 'administrator' && !session.account.isAdmin) {
      throw new AdminRequired('This request needs an administrator.');
    }
    return { visitor, session };
  }

  /**
   * Authorizes a request for the installation, for which a session of an administrator needs no environment. Returns null
   * if another caller sent it.
   *
   * @throws Unauthenticated, CrossSite, PasswordChangeRequired; HttpError invalid_request; StoreUnavailable
   */
  async authorizeAdministrator(
    request: AuthorizedRequest,
    signal: AbortSignal,
  ): Promise<Authorized | null> {
    if (request.headers['x-api-key'] !== undefined) return null;
    const session = await this.#session(request, null, signal);
    if (!session.account.isAdmin) return null;
    requireValid(namedEnvironment(request));
    requireOwnPassword(session);
    return { visitor: this.#visitorOf(request), session };
  }

  /**
   * Authorizes a request with several cookies of sessions, which begins or ends a session. Any of the cookies may be that
   * of another page, so the request has no session. Returns null if there are fewer cookies.
   *
   * @throws CrossSite
   */
  authorizeAmbiguous(request: AuthorizedRequest): Authorized | null {
    const visitor = this.#visitorOf(request);
    if (visitor.ambiguousTokens.length === 0) return null;
    this.#requireOwnSite(request);
    return { visitor };
  }

  /** The session of a request that needs none. */
  async #openSession(
    request: AuthorizedRequest,
    signal: AbortSignal,
  ): Promise<Pick<Authorized, 'session'>> {
    const { cookie, publicOrigin, sessions } = this.#deps;
    const token = cookie.read(request.headers);
    if (token === null) {
      if (siteOf(request.headers, publicOrigin) === 'foreign') throw new CrossSite();
      return {};
    }
    this.#requireOwnSite(request);
    try {
      return { session: await sessions.authenticate(token, null, signal) };
    } catch (error) {
      if (error instanceof Unauthenticated) return {};
      throw error;
    }
  }

  async #bySession(
    right: EnvironmentRight,
    request: AuthorizedRequest,
    signal: AbortSignal,
  ): Promise<Required<Pick<Authorized, 'caller' | 'session'>>> {
    const named = namedEnvironment(request);
    const session = await this.#session(request, named === 'invalid' ? null : named, signal);
    const environmentId = requireValid(named);
    requireOwnPassword(session);
    const { account, membership } = session;
    if (membership === null) {
      if (environmentId === null) throw new NoEnvironment();
      throw new NotFound('environment', environmentId);
    }
    const caller = {
      keyId: null,
      accountId: account.id,
      environmentId: membership.environmentId,
      countedOwnerId: membership.countedOwnerId,
      right: RIGHT_OF[membership.role],
      isAdmin: account.isAdmin,
    };
    requireRight(right, caller);
    return { caller, session };
  }

  async #session(
    request: AuthorizedRequest,
    environmentId: number | null,
    signal: AbortSignal,
  ): Promise<Session> {
    const { cookie, sessions } = this.#deps;
    const token = cookie.read(request.headers);
    if (token === null) throw new Unauthenticated();
    this.#requireOwnSite(request);
    return sessions.authenticate(token, environmentId, signal);
  }

  /** Refuses a request with a cookie, unless a page of this service caused it, or no page did and it only reads. */
  #requireOwnSite({ headers, method }: AuthorizedRequest): void {
    const site = siteOf(headers, this.#deps.publicOrigin);
    const isRead = method === 'GET' || method === 'HEAD';
    if (site === 'foreign' || (site === 'unknown' && !isRead)) throw new CrossSite();
  }

  #visitorOf(request: AuthorizedRequest): Visitor {
    const address =
      this.#deps.proxies.clientOf(request) ?? addressOf(request.socket.remoteAddress ?? '');
    const tokens = this.#deps.cookie.readAll(request.headers);
    return {
      ambiguousTokens: tokens.length > 1 ? tokens : [],
      address,
      countedAddress: address === null ? '' : holderAt(address).caller,
      userAgent: request.headers['user-agent'] ?? null,
      serviceOrigin: this.#deps.publicOrigin ?? originOfPage(request),
    };
  }
}

/** The environment that a request names; null if it names none. */
function namedEnvironment({ headers }: AuthorizedRequest): number | 'invalid' | null {
  const given = headers['x-environment-id'];
  if (given === undefined) return null;
  return ENVIRONMENT_ID.test(String(given)) ? Number(given) : 'invalid';
}

/** @throws HttpError invalid_request */
function requireValid(named: number | 'invalid' | null): number | null {
  if (named !== 'invalid') return named;
  const detail = 'X-Environment-Id has to be the id of an environment.';
  throw new HttpError('invalid_request', detail);
}

/** The origin that a page of the service names, else that of the host in the request. */
function originOfPage({ headers }: AuthorizedRequest): string {
  return headers.origin ?? `http://${headers.host ?? 'localhost'}`;
}

function requireOwnPassword({ account }: Session): void {
  if (account.passwordBy === 'administrator') throw new PasswordChangeRequired();
}

function requireRight(right: EnvironmentRight, caller: Caller): void {
  if (right === 'admin') {
    if (!caller.isAdmin) {
      throw new AdminRequired("This request needs an administrator, or an administrator's key.");
    }
    // An administrator may change the installation in whichever role; a key has to be a full one, too.
    if (caller.accountId !== null) return;
  }
  const needed = right === 'admin' ? 'owner' : right;
  if (includesRight(caller.right, needed)) return;
  throw new Forbidden(
    caller.accountId === null
      ? 'The type of the key does not allow this request.'
      : 'The role of the account in the environment does not allow this request.',
  );
}
