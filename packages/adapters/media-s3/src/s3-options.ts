import type { Guard, RequireAnswer } from '@sightline/platform/resilience/guard';

export interface S3Keys {
  readonly accessKey: string;
  readonly secretKey: string;
  /** Of keys that are valid for a time. */
  readonly sessionToken?: string | null;
}

/** Where objects are kept, and as whom. */
export interface S3Options {
  /** Scheme, host and port; nothing else of it counts. */
  readonly endpoint: URL;
  readonly bucket: string;
  readonly region: string;
  /** Who this process is there; asked again when the store no longer takes what it answered. */
  readonly readKeys: () => S3Keys;
  /** `bucket.host/key` instead of `host/bucket/key`. */
  readonly virtualHosts?: boolean;
  /** Time in which a connection has to stand, in ms. */
  readonly connectTimeoutMs?: number;
  /** Time for which nothing may move on a connection that is waited for, in ms. */
  readonly silenceMs?: number;
  /** Goes around whatever waits for the store. */
  readonly guard?: Guard;
  /** Of the one who guards it; absent: the store is asked each time. */
  readonly requireAnswer?: RequireAnswer;
}
