import { HttpError } from './http-errors.ts';

/** The share of one request; dispose of it when its body is no longer needed. */
export interface BodyShare extends Disposable {
  /** Counts bytes before they are kept; false if all bodies together would be too much. */
  add(bytes: number): boolean;
}

/**
 * Limits the memory of the bodies of all requests together: each body has a limit of its own, but many
 * slow clients could still fill the memory.
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
