import { DomainError } from '@sightline/core/domain-error';
import { StartError } from '@sightline/platform/lifecycle/start-error';

/**
 * Converts a domain error to an error that ends the start or the command with only its message. Returns other errors
 * unchanged.
 */
export function asStartError(error: unknown): unknown {
  return error instanceof DomainError ? new StartError(error.message, { cause: error }) : error;
}
