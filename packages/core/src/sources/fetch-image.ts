import type { Scope } from '../store/scope.ts';
import type { TakeMemory } from './image-memory.ts';

export interface FetchLimits extends Scope {
  /** `private`: the URL may also lead into a private network. */
  readonly reach: 'private' | 'public';
  /** The maximum size of the decoded body. */
  readonly maxBytes: number;
  /** Called with the number of decoded bytes as they arrive. Its errors end the fetch, and are thrown unchanged. */
  readonly take?: TakeMemory | undefined;
  /** The timeout of the whole fetch, including its redirects. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Fetches the image at a caller's URL, under the rules for outgoing requests. The result does not share its buffer with
 * other data, so the buffer can be transferred to a worker thread.
 *
 * @throws ImageFetchFailed, with the same message for all causes; ImageTooLarge; the errors of
 *   `take`; the signal's reason on abort
 */
export type FetchImage = (url: string, limits: FetchLimits) => Promise<Uint8Array<ArrayBuffer>>;
