import {
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
  sign,
} from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Adapter, type AdapterPayload, type Configuration, Provider } from 'oidc-provider';

/** A person of the provider, with the claims of its tokens. */
export interface ProviderPerson {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
}

export type Claims = Record<string, unknown>;

export interface OpenIdServerOptions {
  /** The addresses to which the provider may send browsers. */
  readonly redirectUris: readonly string[];
  /** Changes the configuration of the provider. */
  readonly configuration?: Configuration;
  /** The port; a free one if absent. */
  readonly port?: number;
}

export const CLIENT = { id: 'sightline', secret: 'a secret of the client, for tests' };
const SCOPE = 'openid email profile';
const KEY = newKey('first');
/** The key that the provider publishes. */
export const SIGNING_KEY = KEY.privateKey;

/**
 * An OpenID provider on this machine, in whose pages a person signs in without a click. Its tokens can be falsified.
 */
export class OpenIdServer implements AsyncDisposable {
  readonly issuer: string;
  /** The paths that were requested, in their order. */
  readonly requests: string[] = [];
  /** The person who signs in next. */
  person: ProviderPerson = { sub: 'unknown' };
  /** The error with which the next sign-in ends. */
  error: string | null = null;
  /** Changes the claims of an id token before it is signed. */
  falsify: ((claims: Claims) => Claims) | null = null;
  /** Adds members to the JSON answers of a path. */
  extend: ((path: string) => object) | null = null;
  /** Delays the answer to a path. */
  delay: ((path: string) => Promise<void> | undefined) | null = null;
  /** The key of falsified tokens. */
  key: KeyObject = SIGNING_KEY;
  readonly #people = new Map<string, ProviderPerson>();
  readonly #server;
  readonly #provider: Provider;

  private constructor(server: ReturnType<typeof createServer>, options: OpenIdServerOptions) {
    this.#server = server;
    const { port } = server.address() as AddressInfo;
    this.issuer = `http://127.0.0.1:${port}`;
    this.#provider = new Provider(this.issuer, this.#configure(options));
    this.#provider.use(async (context, next) => {
      await next();
      if (context.path === '/token' && this.falsify !== null) this.#falsify(context);
      const added = this.extend?.(context.path);
      if (added !== undefined) context.body = { ...(context.body as object), ...added };
    });
    const answer = this.#provider.callback();
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const { pathname } = new URL(request.url!, this.issuer);
      this.requests.push(pathname);
      void Promise.resolve(this.delay?.(pathname)).then(() =>
        pathname.startsWith('/interaction/')
          ? this.#signIn(request, response)
          : answer(request, response),
      );
    });
  }

  static async open(options: OpenIdServerOptions): Promise<OpenIdServer> {
    const server = createServer();
    server.listen(options.port ?? 0, '127.0.0.1');
    await once(server, 'listening');
    return new OpenIdServer(server, options);
  }

  /** Signs the person in, as a browser does, and returns the address to which the provider sends the browser. */
  async visit(address: string): Promise<URL> {
    const cookies = new Map<string, string>();
    let url = new URL(address);
    while (url.origin === this.issuer) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
      const text = await response.text();
      for (const set of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!;
        if (value === '') cookies.delete(name!);
        else cookies.set(name!, value!);
      }
      const location = response.headers.get('location');
      if (location === null) throw new Error(`The provider answered: ${response.status} ${text}`);
      url = new URL(location, url);
    }
    return url;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }

  #configure({ redirectUris, configuration }: OpenIdServerOptions): Configuration {
    return {
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          redirect_uris: [...redirectUris],
        },
      ],
      adapter: storeInMemory(),
      jwks: { keys: [KEY.jwk] },
      cookies: { keys: ['for tests'] },
      ttl: { AccessToken: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      findAccount: (_, sub) => ({
        accountId: sub,
        claims: () => ({ ...this.#people.get(sub), sub }),
      }),
      loadExistingGrant: async ({ oidc }) => {
        const grant = new oidc.provider.Grant({
          clientId: oidc.client!.clientId,
          accountId: oidc.session!.accountId!,
        });
        grant.addOIDCScope(SCOPE);
        await grant.save();
        return grant;
      },
      ...configuration,
    };
  }

  async #signIn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { sub } = this.person;
    this.#people.set(sub, this.person);
    const result = this.error === null ? { login: { accountId: sub } } : { error: this.error };
    await this.#provider.interactionFinished(request, response, result);
  }

  #falsify(context: { body: unknown }): void {
    const body = context.body as { readonly id_token: string };
    const [head = '', claims = ''] = body.id_token.split('.');
    const given = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Claims;
    const changed = Buffer.from(JSON.stringify(this.falsify!(given))).toString('base64url');
    const text = `${head}.${changed}`;
    const signature = sign('RSA-SHA256', Buffer.from(text), this.key).toString('base64url');
    context.body = { ...body, id_token: `${text}.${signature}` };
  }
}

/** Keeps the records of a provider until the tests end. The provider's own store in memory warns of its use. */
function storeInMemory(): (kind: string) => Adapter {
  const records = new Map<string, AdapterPayload>();
  const byUid = (uid: string) => [...records.values()].find((record) => record.uid === uid);
  return (kind) => ({
    upsert: (id, payload) => Promise.resolve(void records.set(`${kind} ${id}`, payload)),
    find: (id) => Promise.resolve(records.get(`${kind} ${id}`)),
    findByUid: (uid) => Promise.resolve(byUid(uid)),
    findByUserCode: () => Promise.resolve(undefined),
    consume: (id) => {
      records.get(`${kind} ${id}`)!.consumed = Math.floor(Date.now() / 1000);
      return Promise.resolve();
    },
    destroy: (id) => Promise.resolve(void records.delete(`${kind} ${id}`)),
    revokeByGrantId: (grantId) => {
      for (const [id, record] of records) if (record.grantId === grantId) records.delete(id);
      return Promise.resolve();
    },
  });
}

/** A key that signs tokens. */
export function newKey(kid: string = randomUUID()) {
  const { privateKey: pem } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const privateKey = createPrivateKey(pem);
  const jwk = { ...privateKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' };
  return { privateKey, jwk };
}
