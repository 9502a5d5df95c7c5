import { DomainError } from '@sightline/core/domain-error';
import { StartError } from '@sightline/platform/lifecycle/start-error';

/** What ends a start or a command: of what the domain refuses a person is told the sentence alone. */
export function asStartError(error: unknown): unknown {
  return error instanceof DomainError ? new StartError(error.message, { cause: error }) : error;
}
