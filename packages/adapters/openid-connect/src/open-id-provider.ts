import type {
  IdentityProvider,
  ProvenLogin,
  SignOnSecrets,
} from '@sightline/core/accounts/identity-provider';
import type { LoginProfile } from '@sightline/core/accounts/login';
import {
  IdentityProviderUnavailable,
  SignOnInvalid,
} from '@sightline/core/accounts/sign-on-errors';
import {
  Credential,
  type ReadValues,
  withCredential,
} from '@sightline/platform/resilience/credential';
import { orAbort } from '@sightline/platform/resilience/or-abort';
import * as client from 'openid-client';
import { fetchLimited } from './fetch-limited.ts';
import { errorOf, isSecretRefused, reasonOf } from './provider-errors.ts';
import { requireMetadata } from './require-metadata.ts';

export interface OpenIdOptions {
  /** An https address; http for a provider on this machine. */
  readonly issuer: URL;
  readonly clientId: string;
  /** Reads the valid secrets of the client, the current one first. */
  readonly readSecret: ReadValues;
  /** The address to which the provider sends browsers back. */
  readonly redirectUri: string;
  readonly allowsSignUp: boolean;
  /** Called with the code of an error of the provider. The code contains nothing secret. */
  readonly failed: (reason: string) => void;
  /** The time in ms. */
  readonly now?: () => number;
}

const SCOPE = 'openid email profile';
/** The timeout of each request to the provider, in seconds. */
const TIMEOUT_SECONDS = 5;
/** The metadata of the provider is read again after this time, in ms. */
const FRESH_MS = 3_600_000;
/** After a failed read of the metadata, the next one waits for this time, in ms. */
const PAUSE_MS = 5_000;
/** The most characters of the subject of a token (OpenID Connect Core 1.0, 2). */
const MAX_SUBJECT_LENGTH = 255;
/** The members of an answer that count. Some providers add members of their own. */
const ANSWER = ['code', 'state', 'iss', 'error'];

/**
 * An OpenID provider. Its metadata is read at the first use and then once per hour; its keys are read again when a token
 * has an unknown one.
 */
export class OpenIdProvider implements IdentityProvider {
  readonly issuer: string;
  readonly allowsSignUp: boolean;
  readonly #options: OpenIdOptions;
  readonly #secret: Credential;
  readonly #now: () => number;
  #known: { readonly configuration: client.Configuration; readonly readAt: number } | null = null;
  #reading: Promise<client.Configuration> | null = null;
  #failedAt = -Infinity;

  /** @throws the errors of `readSecret` */
  constructor(options: OpenIdOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#secret = new Credential(options.readSecret);
    this.issuer = options.issuer.href;
    this.allowsSignUp = options.allowsSignUp;
  }

  async addressFor(
    { state, nonce, verifier }: SignOnSecrets,
    signal?: AbortSignal,
  ): Promise<string> {
    const configuration = await orAbort(this.#configuration(), signal);
    const challenge = await client.calculatePKCECodeChallenge(verifier);
    try {
      return client.buildAuthorizationUrl(configuration, {
        redirect_uri: this.#options.redirectUri,
        scope: SCOPE,
        state,
        nonce,
        code_challenge: challenge,
        code_challenge_method: 'S256',
      }).href;
    } catch (error) {
      this.#options.failed(reasonOf(error));
      throw new IdentityProviderUnavailable();
    }
  }

  async verify(
    answer: URLSearchParams,
    { state, nonce, verifier }: SignOnSecrets,
  ): Promise<ProvenLogin> {
    const configuration = await this.#configuration();
    const url = new URL(this.#options.redirectUri);
    for (const [name, value] of answer) {
      if (ANSWER.includes(name)) url.searchParams.append(name, value);
    }
    const grant = () =>
      client.authorizationCodeGrant(configuration, url, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
    const tokens = await this.#send(() => withCredential(this.#secret, grant, isSecretRefused));
    const claims = tokens.claims()!;
    const { iss, sub: subject } = claims;
    if (URL.parse(iss)?.href !== this.issuer || !isSubject(subject)) throw new SignOnInvalid();
    return {
      login: { issuer: this.issuer, subject },
      profile: async () => {
        const isWhole = claims.email !== undefined && claims.email_verified !== undefined;
        const { userinfo_endpoint: endpoint } = configuration.serverMetadata();
        if (isWhole || endpoint === undefined) return profileOf(claims);
        const rest = await this.#send(() =>
          client.fetchUserInfo(configuration, tokens.access_token, subject),
        );
        return profileOf({ ...claims, ...rest });
      },
    };
  }

  async #configuration(): Promise<client.Configuration> {
    const now = this.#now();
    const known = this.#known;
    if (known !== null && now - known.readAt < FRESH_MS) return known.configuration;
    if (this.#reading === null && now - this.#failedAt < PAUSE_MS) {
      if (known !== null) return known.configuration;
      throw new IdentityProviderUnavailable();
    }
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  /** Reads the metadata. If that fails, the metadata that was read before stays valid. */
  async #read(): Promise<client.Configuration> {
    const { issuer, clientId } = this.#options;
    try {
      const configuration = await client.discovery(
        issuer,
        clientId,
        undefined,
        this.#authenticate,
        {
          timeout: TIMEOUT_SECONDS,
          [client.customFetch]: fetchLimited,
          execute: [
            // By default a token that comes from the provider over TLS is accepted without a look at its signature.
            client.enableNonRepudiationChecks,
            ...(issuer.protocol === 'http:' ? [allowHttp] : []),
          ],
        },
      );
      requireMetadata(configuration.serverMetadata());
      this.#known = { configuration, readAt: this.#now() };
      return configuration;
    } catch (error) {
      this.#failedAt = this.#now();
      this.#options.failed(reasonOf(error));
      if (this.#known !== null) return this.#known.configuration;
      throw new IdentityProviderUnavailable();
    }
  }

  /** Authenticates this client by the method that the provider supports. */
  readonly #authenticate: client.ClientAuth = (...given) => {
    const { token_endpoint_auth_methods_supported: methods } = given[0];
    const isBasic = methods?.includes('client_secret_basic') ?? true;
    const authenticate = isBasic ? client.ClientSecretBasic : client.ClientSecretPost;
    authenticate(this.#secret.current)(...given);
  };

  /** Sends requests to the provider. The errors that callers get have nothing of the answer. */
  async #send<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.#options.failed(reasonOf(error));
      throw errorOf(error);
    }
  }
}

// oxlint-disable-next-line typescript/no-deprecated -- marked so that uses are noticed; see the issuer's rule
const allowHttp = client.allowInsecureRequests;

/** Whether the database stores the subject as it is, so that two subjects are never one. */
function isSubject(text: string): boolean {
  return (
    text !== '' &&
    text.length <= MAX_SUBJECT_LENGTH &&
    text.isWellFormed() &&
    !text.includes('\u0000')
  );
}

function profileOf(claims: Readonly<Record<string, unknown>>): LoginProfile {
  const { email, name } = claims;
  return {
    email: typeof email === 'string' ? email : null,
    isEmailVerified: claims.email_verified === true,
    name: typeof name === 'string' ? name : null,
  };
}
