import { FairShares, type Holder } from '../resilience/fair-shares.ts';
import { HttpError } from './http-errors.ts';

/** The share of one request; dispose of it when its body is no longer needed. */
export interface BodyShare extends Disposable {
  /** Counts bytes before they are kept; returns false if that exceeds the share of the holder or the limit of all. */
  add(bytes: number): boolean;
}

/**
 * Limits the memory of the bodies of all requests together: each body has a limit of its own, but many
 * slow clients could still fill the memory. Each environment and each key has a share of it.
 */
export class BodyMemory {
  readonly #shares: FairShares;

  constructor(maxBytes: number) {
    this.#shares = new FairShares(maxBytes);
  }

  open(holder: Holder): BodyShare {
    let own = 0;
    return {
      add: (bytes) => {
        if (this.#shares.take(holder, bytes) !== 'admitted') return false;
        own += bytes;
        return true;
      },
      [Symbol.dispose]: () => {
        this.#shares.giveBack(holder, own);
        own = 0;
      },
    };
  }
}

export function tooManyBodies(): HttpError {
  return overloaded('Too many uploads are in memory; try again later.');
}

export function tooManyExports(): HttpError {
  return overloaded('Too many of your exports are being sent; try again later.');
}

export function tooManyImports(): HttpError {
  return overloaded(
    'Your archives that are being read take too much memory; try again later, or with a smaller archive.',
  );
}

function overloaded(detail: string): HttpError {
  return new HttpError('overloaded', detail, { headers: { 'Retry-After': '1' } });
}
