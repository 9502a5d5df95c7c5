import type { InstallationRequests, RouteContract } from '@sightline/contracts/define-contract';
import { forTenant } from '@sightline/core/analysis/for-tenant';
import { type Tenant, tenantOf } from '@sightline/core/analysis/tenant';
import { requireJobRoom } from '@sightline/core/database/require-job-room';
import { CurrentOperation } from '@sightline/core/store/current-operation';
import type { Caller } from '@sightline/core/access/caller';
import { NotFound } from '@sightline/core/store/not-found';
import type { Actor } from '@sightline/core/store/actor';
import type { Scope } from '@sightline/core/store/scope';
import { addLogFields } from '@sightline/platform/http/log-fields';
import { requestId as requestIdOf } from '@sightline/platform/http/request-id';
import { requestSignal } from '@sightline/platform/http/request-signal';
import type { FairShares } from '@sightline/platform/resilience/fair-shares';
import type { Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import type { ApiContext } from '../context/api-context.ts';
import type { Authorized } from '../auth/authorizer.ts';
import { answerOnce } from './answer-once.ts';
import type { Answer, Parked, Route, ValidRequest } from './define-route.ts';
import { idempotencyKey } from './idempotency-key.ts';
import { type BodyReader, type ReceivedBody, readBody } from './read-body.ts';
import type { RateLimit } from './rate-limit.ts';
import { RequestPlace } from './request-place.ts';
import type { RefusalPacing } from './refusal-pacing.ts';
import { imageMemoryOf } from './image-memory-of.ts';
import { type Exchange, sendAnswer } from './send-answer.ts';
import { validateInput } from './validate-input.ts';

export interface Mount {
  readonly context: ApiContext;
  readonly refusals: RefusalPacing;
  readonly rates: RateLimit;
  /** The requests in progress. */
  readonly requests: FairShares;
  /**
   * The same requests by the accounts that own their environments, so that an account with many environments leaves as much
   * as one with a single one.
   */
  readonly owners: FairShares;
}

/**
 * Creates the handler of a route. Before the handler receives the body, it authorizes the caller, validates the
 * parameters, and makes sure that the queue has room.
 */
export function createHandler(
  route: Route,
  { context, refusals, rates, requests, owners }: Mount,
): RequestHandler {
  return async (request, response) => {
    const signal = requestSignal(response);
    // Responses without a key are the same for all callers, so caches may store them.
    if (route.contract.right === 'none') response.removeHeader('Cache-Control');
    const authorized = await authorize(context, route.contract, { request, signal });
    const { caller, session } = authorized;
    addLogFields(response, {
      ...(caller !== undefined && { environment_id: caller.environmentId }),
      ...(typeof caller?.keyId === 'number' && { key_id: caller.keyId }),
      ...(session !== undefined && { account_id: session.account.id }),
    });
    const exchange = { request, response, signal };
    const tenant = tenantOfRequest(authorized);
    const analyzer = forTenant(context.analyzer, tenant);
    const service = { context: { ...context, analyzer }, tenant, authorized, route, ...exchange };
    await refusals.run(
      async () => {
        if (typeof caller?.keyId === 'number') await rates.require(caller.keyId);
        // A client that has disconnected would never give its share back.
        signal.throwIfAborted();
        const place = new RequestPlace(response);
        place.take(requests, tenant);
        takeOwnersShare(owners, authorized, { place, response });
        await serve({ ...service, place });
      },
      tenant,
      signal,
    );
  };
}

/**
 * Finds out who sent a request. Administrators need no environment for the requests that are for the installation, and a
 * browser with several cookies of sessions may begin or end one.
 */
async function authorize(
  { authorizer }: ApiContext,
  { right, installation, replacesSession }: RouteContract,
  { request, signal }: Pick<Exchange, 'request' | 'signal'>,
): Promise<Authorized> {
  if (installation !== undefined && isForInstallation(installation, request)) {
    const administrator = await authorizer.authorizeAdministrator(request, signal);
    if (administrator !== null) return administrator;
  }
  const ambiguous = replacesSession === true ? authorizer.authorizeAmbiguous(request) : null;
  return ambiguous ?? authorizer.authorize(right, request, signal);
}

function isForInstallation(
  { in: part, name, startsWith }: InstallationRequests,
  { params, query }: Request,
): boolean {
  const value = part === 'path' ? params[name] : query[name];
  return typeof value === 'string' && value.startsWith(startsWith);
}

/**
 * Counts a request in an environment as that of the account that owns the environment. Each request is a caller of its own,
 * because the shares of environments and callers are counted already. Requests for the account itself are not among them,
 * so that an owner can still revoke the keys that use the share.
 *
 * @throws HttpError overloaded
 */
function takeOwnersShare(
  owners: FairShares,
  { caller }: Authorized,
  { place, response }: { readonly place: RequestPlace; readonly response: Response },
): void {
  const owner = caller?.countedOwnerId;
  if (typeof owner !== 'string') return;
  place.take(owners, { environment: owner, caller: requestIdOf(response) });
}

/** The one whose share of memory and whose refusals the request counts for. */
function tenantOfRequest({ caller, session, visitor }: Authorized): Tenant {
  if (caller !== undefined) return tenantOf(caller);
  const name =
    session === undefined ? `address-${visitor.countedAddress}` : `account-${session.account.id}`;
  return { environment: name, caller: name };
}

interface Service extends Exchange {
  /** The context of the router, except that the analyzer counts all work as the tenant's. */
  readonly context: ApiContext;
  readonly tenant: Tenant;
  readonly authorized: Authorized;
  readonly route: Route;
  readonly place: RequestPlace;
}

async function serve(service: Service): Promise<void> {
  const { context, tenant, authorized, route, request, signal } = service;
  const { visitor, caller, session } = authorized;
  const { contract } = route;
  const key = contract.idempotent ? idempotencyKey(request.headers) : undefined;
  const parameters = readParameters(contract, request);
  await requireRoom(service, key, parameters.query);
  await using held = new AsyncDisposableStack();
  const { memory, spool, archives } = context.bodies;
  const ofRequest = held.use(memory.open(tenant));
  const requestId = requestIdOf(service.response);
  const actor = actorOf(authorized, requestId);
  const scope = caller && scopeOf(caller, actor, { contract, query: parameters.query });
  const { upload } = route;
  const body = held.use(
    await receiveBody(request, route, {
      maxFileBytes:
        (scope && (await upload?.maxFileBytes?.(context, scope, signal))) ??
        context.imageLimits.maxBytes,
      memory: ofRequest,
      turns: context.parses,
      openSpool: () => (upload?.files === 'archive' ? archives : spool).open(tenant),
      digests: key !== undefined,
    }),
  );
  const imageMemory = imageMemoryOf(memory, { tenant, ofRequest });
  const counted = { ...service, context: { ...context, imageMemory } };
  const answer = await answerRequest(counted, key, {
    ...parameters,
    body,
    visitor,
    caller,
    scope,
    actor,
    session,
    requestId,
    signal,
    park: () => park(service),
  });
  nameOperation(service.response, scope?.operation);
  await sendAnswer(service, { route, memory: ofRequest }, answer);
}

function scopeOf(
  { environmentId }: Caller,
  actor: Actor,
  { contract, query }: { readonly contract: RouteContract; readonly query: unknown },
): Scope {
  const { operation: kind } = contract;
  if (kind === undefined) return { environmentId, actor };
  const { purge: isPurge = false } = (query ?? {}) as { readonly purge?: boolean };
  const isSelective = kind === 'replace';
  const operation = new CurrentOperation(kind, { isPurge, isSelective });
  return { environmentId, actor, operation };
}

/** Tells the client the operation that the request is, if it has changed something. */
function nameOperation(response: Response, operation: CurrentOperation | undefined): void {
  const id = operation?.id ?? null;
  if (id !== null) response.setHeader('X-Operation-Id', String(id));
}

function park({
  context,
  tenant,
  authorized,
  route,
  place,
  request,
  signal,
}: Service): Parked | null {
  if (!place.park(context.waiting, tenant)) return null;
  const environmentId = authorized.caller?.environmentId;
  return {
    async requireCaller() {
      const { caller } = await authorize(context, route.contract, { request, signal });
      // The environment of a session changes with the default one of its account.
      if (caller?.environmentId === environmentId) return;
      throw new NotFound('environment', environmentId ?? '');
    },
  };
}

/** The sender of a request, for the audit. */
function actorOf({ caller, session }: Authorized, requestId: string): Actor {
  const accountId = session?.account.id ?? null;
  return { kind: 'request', accountId, keyId: caller?.keyId ?? null, requestId };
}

/** @throws InferenceOverloaded, TooManyJobs; StoreUnavailable */
async function requireRoom(
  { context, tenant, authorized: { caller }, route, signal }: Service,
  key: string | undefined,
  query: unknown,
): Promise<void> {
  if (isAnalyzedAtOnce(route, query)) context.analyzer.requireRoom(tenant);
  // A request with an idempotency key may be a retry. It must not be refused, because its job may already exist.
  if (caller === undefined || key !== undefined || route.createsJob?.(query) !== true) return;
  await requireJobRoom(context.database, { environmentId: caller.environmentId }, signal);
}

/** Whether a request is refused while the queue is full. A batch is not refused; each of its images waits for room. */
function isAnalyzedAtOnce(route: Route, query: unknown): boolean {
  return route.upload?.files === 'memory' || route.analyzesAtOnce?.(query) === true;
}

function readParameters({ request: contract }: RouteContract, { params, query, headers }: Request) {
  const read = (schema: z.ZodObject | undefined, input: unknown) =>
    schema && validateInput(schema, input);
  return {
    path: read(contract.path, params),
    query: read(contract.query, query),
    headers: read(contract.headers, headers),
  };
}

function receiveBody(
  request: Request,
  route: Route,
  reader: Omit<BodyReader, 'route' | 'body'>,
): Promise<ReceivedBody> | undefined {
  const { body } = route.contract.request;
  return body && readBody(request, { route, body, ...reader });
}

function answerRequest(
  { context, route }: Service,
  key: string | undefined,
  request: Omit<ValidRequest, 'settle'>,
): Answer | Promise<Answer> {
  const { scope } = request;
  if (key !== undefined && scope !== undefined) {
    return answerOnce({ context, route }, key, { ...request, scope });
  }
  return route.handler(context, { ...request, settle: () => undefined });
}
