/**
 * The reason why the process cannot start and the way to fix it, in one sentence for the person who started the
 * process. The process prints the sentence without a stack.
 */
export class StartError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartError';
  }
}
