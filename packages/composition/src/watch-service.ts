import type { Logger } from '@sightline/platform/logging/logger';
import { Dependency, type DependencyObserver } from '@sightline/platform/resilience/dependency';
import { isUnavailable } from './is-unavailable.ts';

/** The logger and the observer that learn when an external service becomes unavailable or available again. */
export interface DependencyObservers {
  readonly logger: Logger;
  readonly observer?: DependencyObserver | undefined;
}

export interface WatchedService {
  /** A single word, for logs and metrics. */
  readonly name: string;
  /** Sends a request without side effects to the service, bypassing the circuit breaker. */
  readonly ping: (signal: AbortSignal) => Promise<unknown>;
  /** Creates the error that callers get while the service is unavailable. */
  readonly unavailable: (cause: unknown) => Error;
}

/** Creates the circuit breaker of an external service, through which all requests to the service go. */
export function watchService(
  service: WatchedService,
  { logger, observer }: DependencyObservers,
): Dependency {
  return new Dependency({
    ...service,
    isFailure: isUnavailable,
    logger,
    ...(observer !== undefined && { observer }),
  });
}
