import type { ServerResponse } from 'node:http';

/** The answers that clients of a listener wait for. */
export class AnswersInFlight {
  readonly #answers = new Set<ServerResponse>();
  #closesConnections = false;

  /** Whether the system is still sending an answer that was completely written. */
  get isSending(): boolean {
    return [...this.#answers].some(({ writableEnded }) => writableEnded);
  }

  add(response: ServerResponse): void {
    this.#answers.add(response);
    response.once('close', () => this.#answers.delete(response));
    if (this.#closesConnections) announceClose(response);
  }

  /**
   * From now on, each answer tells the client to send its next request over another connection, which may lead to
   * another process. An answer whose head was sent before keeps its headers.
   */
  closeConnections(): void {
    this.#closesConnections = true;
    for (const response of this.#answers) announceClose(response);
  }
}

function announceClose(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}
