export interface FetchLimits {
  /** Whether the URL may lead into a private network. */
  readonly reach: 'private' | 'public';
  /** Bytes of the decoded body. */
  readonly maxBytes: number;
  /** The timeout of the whole fetch, with its redirects. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Fetches the image at a URL from a caller, under the rules for outgoing requests. The bytes have a
 * buffer of their own.
 *
 * @throws ImageFetchFailed, with the same text whatever the cause; ImageTooLarge; the signal's reason.
 */
export type FetchImage = (url: string, limits: FetchLimits) => Promise<Uint8Array<ArrayBuffer>>;
