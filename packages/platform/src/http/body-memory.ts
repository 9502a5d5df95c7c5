import { HttpError } from './http-errors.ts';

/** The part that the body of one request has; dispose of it when the body is done with. */
export interface BodyShare extends Disposable {
  /** Counts bytes before they are kept; false if all bodies together would be too much. */
  add(bytes: number): boolean;
}

/**
 * Bounds what the bodies of all requests together keep in memory. Each has its own limit, but many
 * clients that send slowly could fill the memory all the same.
 */
export class BodyMemory {
  readonly #maxBytes: number;
  #held = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  open(): BodyShare {
    let own = 0;
    return {
      add: (bytes) => {
        if (this.#held + bytes > this.#maxBytes) return false;
        own += bytes;
        this.#held += bytes;
        return true;
      },
      [Symbol.dispose]: () => {
        this.#held -= own;
        own = 0;
      },
    };
  }
}

export function tooManyBodies(): HttpError {
  return new HttpError('overloaded', 'Too many uploads are in memory; try again later.', {
    headers: { 'Retry-After': '1' },
  });
}
