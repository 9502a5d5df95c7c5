/** Facts about an error that a caller may see; never a path, a query or a stack. */
export type ErrorFacts = Readonly<Record<string, string | number | boolean | null>>;

/**
 * Something the domain refuses, named by a stable code. The HTTP edge maps codes to statuses; the
 * message is one sentence for the caller and holds no internals.
 */
export abstract class DomainError extends Error {
  abstract readonly code: string;
  readonly facts: ErrorFacts;

  constructor(message: string, facts: ErrorFacts = {}, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.facts = facts;
  }
}
