import { DomainError } from '@sightline/core/domain-error';
import { StartError } from '@sightline/platform/lifecycle/start-error';

/** The error that ends a start or a command: of a domain error, people see only the message. */
export function asStartError(error: unknown): unknown {
  return error instanceof DomainError ? new StartError(error.message, { cause: error }) : error;
}
