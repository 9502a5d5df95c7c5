import type { ServerResponse } from 'node:http';

/** The responses that a listener has not completely sent yet. */
export class AnswersInFlight {
  readonly #answers = new Set<ServerResponse>();
  #closesConnections = false;

  /** Whether a response was completely written but is still being sent to its client. */
  get isSending(): boolean {
    return [...this.#answers].some(({ writableEnded }) => writableEnded);
  }

  add(response: ServerResponse): void {
    this.#answers.add(response);
    response.once('close', () => this.#answers.delete(response));
    if (this.#closesConnections) announceClose(response);
  }

  /**
   * Adds `Connection: close` to all pending and later responses, so that clients open new connections, which may lead
   * to another process. Responses whose headers were already sent do not change.
   */
  closeConnections(): void {
    this.#closesConnections = true;
    for (const response of this.#answers) announceClose(response);
  }
}

function announceClose(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}
