import { randomUUID } from 'node:crypto';
import type { SignInCounters } from '@sightline/core/accounts/sign-in-counters';
import { type Client, createClient } from '@sightline/contracts/client';
import { FakeAnalyzer } from '@sightline/core/analysis/testing/fake-analyzer';
import { createKey, type CreateKeyRequest } from '@sightline/core/api-keys/create-key';
import { SERVICE } from '@sightline/core/store/actor';
import { createToken } from '@sightline/core/accounts/secret-token';
import { HttpListener } from '@sightline/platform/http/http-listener';
import type { PostgresStores } from '@sightline/postgres/open-postgres';
import type { RequestHandler } from 'express';
import type { ApiContext } from '../context/api-context.ts';
import { createApiApp } from '../create-api-app.ts';
import {
  type ApiContextFixture,
  type CreateDatabase,
  openApiContext,
} from './api-context-fixture.ts';

export type KeyOptions = Partial<Pick<CreateKeyRequest, 'environment' | 'right' | 'isAdmin'>>;

/** The API on a free port of this machine, with embedded stores and a fake analyzer. */
export interface ApiServer extends Omit<ApiContextFixture, 'context'> {
  readonly base: string;
  readonly environment: string;
  /** A key with full rights in `environment`. It is not an administrator's key. */
  readonly key: string;
  readonly client: Client;
  /** The failed sign-ins, as the API counts them. */
  readonly signIns: SignInCounters;
  /** Fetches a path of the API with `key`, unless the headers contain another key. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Creates a key that differs from `key` in the given members. */
  createKey(options: KeyOptions): Promise<string>;
  clientOf(options: KeyOptions): Promise<Client>;
  /**
   * Returns the client of a new account that is signed in and owns an environment.
   *
   * @param environmentId the environment that its requests name; if absent, they name none
   */
  clientOfAccount(environmentId?: number): Promise<Client>;
  /** Creates a new environment with a new key, and resets the fake analyzer. */
  reset(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function startApi(
  createDatabase: CreateDatabase,
  changes: Partial<ApiContext> = {},
  pages?: RequestHandler,
): Promise<ApiServer> {
  const resources = new AsyncDisposableStack();
  const { context, ...fixture } = resources.use(await openApiContext(createDatabase, changes));
  const listener = resources.use(
    await HttpListener.open({
      name: 'API',
      host: '127.0.0.1',
      port: 0,
      portVariable: 'PORT',
      stopTimeoutMs: 500,
      handler: createApiApp({
        observer: { started: () => undefined, finished: () => undefined },
        context,
        console: pages,
        // Results are not cached, so that a test sees its own changes.
        healthEveryMs: 0,
      }),
    }),
  );
  const base = `http://127.0.0.1:${listener.address.port}`;
  let environment = randomUUID();
  const newKey = async (options: KeyOptions) => {
    const given = { environment, right: 'full', isAdmin: false, ...options } as const;
    const created = await createKey(fixture.stores, { ...given, label: 'test', expiresAt: null });
    return created.key;
  };
  const clientWith = (apiKey: string) => createClient({ baseUrl: base, fetch, apiKey });
  let key = await newKey({});
  return {
    ...fixture,
    base,
    signIns: context.signIns,
    get environment() {
      return environment;
    },
    get key() {
      return key;
    },
    get client() {
      return clientWith(key);
    },
    createKey: newKey,
    clientOf: async (options) => clientWith(await newKey(options)),
    clientOfAccount: async (environmentId) => {
      const cookie = await signIn(fixture.stores);
      const named = environmentId !== undefined && { 'X-Environment-Id': String(environmentId) };
      const ofPage = { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin', ...named };
      return createClient({
        baseUrl: base,
        apiKey: '',
        fetch: (input, init) => {
          const headers = new Headers(init?.headers);
          headers.delete('X-API-Key');
          for (const [name, value] of Object.entries(ofPage)) headers.set(name, value);
          return fetch(input, { ...init, headers });
        },
      });
    },
    fetch: (path, init) => {
      const headers = new Headers(init?.headers);
      if (!headers.has('X-API-Key')) headers.set('X-API-Key', key);
      return fetch(base + path, { ...init, headers });
    },
    async reset() {
      environment = randomUUID();
      key = await newKey({});
      Object.assign(fixture.analyzer, new FakeAnalyzer());
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** Creates an account with an environment and a session. Returns the cookie of the session. */
async function signIn({ accounts, environments, sessions }: PostgresStores): Promise<string> {
  const passwordHash = '';
  const email = `${randomUUID()}@example.org`;
  const { id: accountId } = await accounts.insert(
    { email, name: 'Ada', isAdmin: false, passwordBy: 'owner', passwordHash },
    SERVICE,
  );
  const by = { accountId, requestId: 'test' };
  await environments.create(by, 'home');
  const { token, hash } = createToken();
  await sessions.open({ ...by, passwordHash, hash, address: null, userAgent: null });
  return `sightline_session=${token}`;
}
