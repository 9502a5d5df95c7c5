/**
 * Why the process cannot start, and how to fix it, in one sentence for the person who started it. The
 * process prints the sentence without a stack.
 */
export class StartError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartError';
  }
}
