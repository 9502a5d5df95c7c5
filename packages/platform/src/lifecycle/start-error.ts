/**
 * Why the process cannot start, in one sentence for the person who started it, with a way out. The
 * process ends with the sentence alone, without a stack.
 */
export class StartError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartError';
  }
}
