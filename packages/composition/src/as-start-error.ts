import { DomainError } from '@sightline/core/domain-error';
import { StartError } from '@sightline/platform/lifecycle/start-error';

/** The error that ends a start or a command. Only the message of a domain error is shown. */
export function asStartError(error: unknown): unknown {
  return error instanceof DomainError ? new StartError(error.message, { cause: error }) : error;
}
