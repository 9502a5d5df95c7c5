/** Facts about an error that clients may see. They never contain a path, a query or a stack trace. */
export type ErrorFacts = Readonly<Record<string, string | number | boolean | null>>;

/**
 * An error with a stable code, which the API maps to a status. The message is one sentence for the client, without
 * internals of the service.
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
