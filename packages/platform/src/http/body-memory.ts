import { FairShares, type Holder } from '../resilience/fair-shares.ts';
import { HttpError } from './http-errors.ts';

/** The memory that one request has reserved. Disposal releases the memory. */
export interface BodyShare extends Disposable {
  /**
   * Reserves bytes. Returns false if the share of the key or environment, or the limit for all requests, would be
   * exceeded.
   */
  add(bytes: number): boolean;
}

/**
 * Limits the memory for the bodies of all requests together, because many slow clients could fill the memory although
 * each single body is limited. Images that a request fetches, and large answers until clients have received them, count
 * as well. Each environment and each key may use only a share of the memory.
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
  return overloaded('The service is processing too many uploads; try again later.');
}

export function tooManyAnswers(): HttpError {
  return overloaded('Too many large answers wait for slow clients; try again later.');
}

export function tooManyExports(): HttpError {
  return overloaded('Too many of your exports are in progress; try again after one has ended.');
}

export function tooManyImports(): HttpError {
  return overloaded(
    'Too many of your archives are being imported; try again later, or import a smaller archive.',
  );
}

function overloaded(detail: string): HttpError {
  return new HttpError('overloaded', detail, { headers: { 'Retry-After': '1' } });
}
