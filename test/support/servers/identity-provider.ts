import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MinioProcess } from './minio-process.ts';
import { untilAvailable } from './until-available.ts';

const KEY_ID = 'key';
/** The audience of the tokens. */
const AUDIENCE = 'sts.example.org';

/** Issues web identity tokens that name their rights in a MinIO, and publishes the key that verifies them. */
export class IdentityProvider implements AsyncDisposable {
  readonly #keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(request.url === '/keys' ? this.#jwks() : this.#discovery()));
    });
  }

  static async start(): Promise<IdentityProvider> {
    const provider = new IdentityProvider();
    await once(provider.#server.listen(0, '127.0.0.1'), 'listening');
    return provider;
  }

  get #issuer(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  /** Starts a MinIO that accepts the tokens. */
  async startMinio(): Promise<MinioProcess> {
    const minio = await MinioProcess.start(undefined, {
      MINIO_IDENTITY_OPENID_CONFIG_URL: `${this.#issuer}/.well-known/openid-configuration`,
      MINIO_IDENTITY_OPENID_CLIENT_ID: AUDIENCE,
      MINIO_IDENTITY_OPENID_CLAIM_NAME: 'policy',
    });
    // Its token service answers a moment after it is alive.
    const action = 'Action=AssumeRoleWithWebIdentity&Version=2011-06-15&WebIdentityToken=';
    const body = new URLSearchParams(action + this.token('readwrite', 60));
    await untilAvailable(() => fetch(minio.endpoint, { method: 'POST', body }));
    return minio;
  }

  /** @param policy the rights in the MinIO @param seconds the lifetime */
  token(policy: string, seconds: number): string {
    const iat = Math.floor(Date.now() / 1000);
    const claims = { iss: this.#issuer, sub: 'sightline', aud: AUDIENCE, iat, policy };
    const parts = [
      { alg: 'RS256', typ: 'JWT', kid: KEY_ID },
      { ...claims, exp: iat + seconds },
    ];
    const text = parts
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    const signature = sign('sha256', Buffer.from(text), this.#keys.privateKey);
    return `${text}.${signature.toString('base64url')}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #discovery() {
    const issuer = this.#issuer;
    return {
      issuer,
      jwks_uri: `${issuer}/keys`,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    };
  }

  #jwks() {
    const jwk = this.#keys.publicKey.export({ format: 'jwk' });
    return { keys: [{ ...jwk, kid: KEY_ID, alg: 'RS256', use: 'sig' }] };
  }
}
