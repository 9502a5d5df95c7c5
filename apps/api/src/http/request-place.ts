import { noteWaiting } from '@sightline/platform/http/waiting-time';
import { HttpError } from '@sightline/platform/http/http-errors';
import type { FairShares, Holder } from '@sightline/platform/resilience/fair-shares';
import type { Response } from 'express';
import type { WaitingRequests } from '../context/waiting-requests.ts';

/** The count that a request is part of until it is answered: the requests in progress, or those that wait for a change. */
export class RequestPlace {
  readonly #response: Response;
  #releases: (() => void)[] = [];

  constructor(response: Response) {
    this.#response = response;
    response.once('close', () => this.#release());
  }

  /** Counts the request as the holder's. @throws HttpError overloaded */
  take(requests: FairShares, holder: Holder): void {
    if (requests.take(holder, 1) !== 'admitted') {
      const detail =
        'Too many requests of the environment, of its caller, or of its owner are in progress.';
      throw new HttpError('overloaded', detail, { headers: { 'Retry-After': '1' } });
    }
    this.#releases.push(() => requests.giveBack(holder, 1));
  }

  /** Counts the request among the waiting ones instead. Returns false if there is no room; then nothing changes. */
  park(waiting: WaitingRequests, holder: Holder): boolean {
    if (!waiting.take(holder)) return false;
    this.#release();
    this.#releases.push(() => waiting.giveBack(holder));
    noteWaiting(this.#response);
    return true;
  }

  #release(): void {
    for (const release of this.#releases) release();
    this.#releases = [];
  }
}
