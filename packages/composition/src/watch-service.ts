import type { Logger } from '@sightline/platform/logging/logger';
import { Dependency, type DependencyObserver } from '@sightline/platform/resilience/dependency';
import { meansAbsence } from './absence.ts';

/** Who hears of services that go and come back. */
export interface Watchers {
  readonly logger: Logger;
  readonly observer?: DependencyObserver | undefined;
}

export interface WatchedService {
  /** One word, for logs and metrics. */
  readonly name: string;
  /** Asks for nothing but an answer, past the guard. */
  readonly ping: (signal: AbortSignal) => Promise<unknown>;
  /** Makes the error that callers see while the service is not there. */
  readonly unavailable: (cause: unknown) => Error;
}

/** One service outside of this process; its guard goes around whatever is asked of it. */
export function watchService(service: WatchedService, { logger, observer }: Watchers): Dependency {
  return new Dependency({
    ...service,
    isFailure: meansAbsence,
    logger,
    ...(observer !== undefined && { observer }),
  });
}
