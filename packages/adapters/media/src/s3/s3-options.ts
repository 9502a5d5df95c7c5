import type { Guard, RequireAnswer } from '@sightline/platform/resilience/guard';

export interface S3Keys {
  readonly accessKey: string;
  readonly secretKey: string;
  /** Belongs to temporary keys. */
  readonly sessionToken?: string | null;
}

/** Which bucket to use, and how. */
export interface S3Options {
  /** Only scheme, host and port are used. */
  readonly endpoint: URL;
  readonly bucket: string;
  readonly region: string;
  /** Reads the keys; called again when the store rejects the previous ones. */
  readonly readKeys: () => S3Keys;
  /** `bucket.host/key` instead of `host/bucket/key`. */
  readonly virtualHosts?: boolean;
  /** Limit for establishing a connection, in ms. */
  readonly connectTimeoutMs?: number;
  /** How long the store may stay silent while a request waits for it, in ms. */
  readonly silenceMs?: number;
  /** Maximum number of objects that are read at the same time; others wait. */
  readonly maxReadingSockets?: number;
  /** Wraps every wait for the store. */
  readonly guard?: Guard;
  /** Knows from recent requests and pings whether the store answers; absent: each check sends a ping. */
  readonly requireAnswer?: RequireAnswer;
}
