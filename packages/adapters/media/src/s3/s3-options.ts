import type { Guard, RequireAnswer } from '@sightline/platform/resilience/guard';

export interface S3Keys {
  readonly accessKey: string;
  readonly secretKey: string;
  readonly sessionToken?: string | null;
}

/** A token that a token service (STS) exchanges for temporary keys. */
export interface WebIdentity {
  /** The file with the token, which is replaced before the token expires. */
  readonly tokenFile: string;
  /** The role to assume; null for token services that derive it from the token. */
  readonly roleArn: string | null;
  readonly stsEndpoint: URL;
}

/** Chooses the proxy for a URL; null if its host is reached directly. */
export interface ProxyChoice {
  for(url: URL): string | null;
}

export interface S3Options {
  /** Only scheme, host and port are used. */
  readonly endpoint: URL;
  readonly bucket: string;
  readonly region: string;
  /**
   * Reads the keys, and is called again when the store rejects the previous keys; or the web identity for which a token
   * service has temporary keys.
   */
  readonly keys: (() => S3Keys) | WebIdentity;
  /** Whether URLs have the form `bucket.host/key` instead of `host/bucket/key`. */
  readonly virtualHosts?: boolean;
  /** The proxies for requests; null or absent if requests use none. */
  readonly proxies?: ProxyChoice | null;
  /** The timeout for connecting, in ms. */
  readonly connectTimeoutMs?: number;
  /** How long the store may send nothing while a request waits, in ms. */
  readonly silenceMs?: number;
  /** The most objects that are read at the same time; further reads wait. */
  readonly maxReadingSockets?: number;
  /** Wraps each wait for the store, and throws at once while the store is known to be down. */
  readonly guard?: Guard;
  /** Throws unless recent requests and pings show that the store answers; if absent, each check sends a request. */
  readonly requireAnswer?: RequireAnswer;
}
