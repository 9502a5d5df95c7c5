import type { ServerResponse } from 'node:http';
import { laneOf, type Tenant } from '@sightline/core/analysis/tenant';
import type { Engine } from '@sightline/engine/engine';

/**
 * The requests for analyses in flight. Background callers, whose image may crash the process, learn whether the process
 * has another image that may be the cause: a caller gets an interim response (102) when its analysis begins alone, and
 * another one when it is not alone anymore or has ended. So if the process dies after a single one, the image was alone.
 */
export class AnalysesInFlight {
  readonly #engine: Pick<Engine, 'isIdle'>;
  readonly #responses = new Set<ServerResponse>();
  /** The response of the analysis that is alone and whose caller knows that; null if there is none. */
  #alone: ServerResponse | null = null;

  constructor(engine: Pick<Engine, 'isIdle'>) {
    this.#engine = engine;
  }

  /** Runs the analysis of a request. The request is in flight from here until its response is sent. */
  async during<T>(response: ServerResponse, tenant: Tenant, analyze: () => Promise<T>): Promise<T> {
    this.#endSolitude();
    // The engine may still process an image whose caller has left.
    const isAlone = this.#responses.size === 0 && this.#engine.isIdle;
    this.#responses.add(response);
    response.once('close', () => this.#responses.delete(response));
    if (isAlone && laneOf(tenant) === 'background') {
      this.#alone = response;
      response.writeProcessing();
    }
    try {
      return await analyze();
    } finally {
      if (this.#alone === response) this.#endSolitude();
    }
  }

  #endSolitude(): void {
    this.#alone?.writeProcessing();
    this.#alone = null;
  }
}
