import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Spreads work that blocks the event loop over its turns: each turn runs one piece, in the order of the calls, so that
 * other requests are served between two pieces.
 */
export class LoopTurns {
  #last: Promise<unknown> = Promise.resolve();

  /** @throws the errors of the work */
  async run<T>(work: () => T): Promise<T> {
    const turn = this.#last.then(() => nextTurn());
    this.#last = turn;
    await turn;
    return work();
  }
}
