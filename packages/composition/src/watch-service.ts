import type { Logger } from '@sightline/platform/logging/logger';
import { Dependency, type DependencyObserver } from '@sightline/platform/resilience/dependency';
import { isUnavailable } from './is-unavailable.ts';

/** Notified when an external service becomes unavailable or available again. */
export interface DependencyObservers {
  readonly logger: Logger;
  readonly observer?: DependencyObserver | undefined;
}

export interface WatchedService {
  /** One word, for logs and metrics. */
  readonly name: string;
  /** Sends a request without effect to the service, not through the guard. */
  readonly ping: (signal: AbortSignal) => Promise<unknown>;
  /** Creates the error that callers get while the service is unavailable. */
  readonly unavailable: (cause: unknown) => Error;
}

/** One external service; every request to it goes through the guard. */
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
