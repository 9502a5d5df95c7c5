import type { AnalyzerStatus } from './analyzer-status.ts';
import type { DesiredModels } from './desired-models.ts';

/** The processes that run models: this one, or inference processes. */
export interface ModelHosts {
  /** The status of every host that responds. */
  statuses(signal: AbortSignal): Promise<readonly AnalyzerStatus[]>;

  /**
   * Sends the desired state to every host that responds. A host fetches what it lacks, loads new models beside those
   * that answer, and releases others once they have answered all requests that they were given. Resolves when the
   * hosts have the desired state; their statuses report the progress. Repeating it changes nothing, but a host retries
   * at once what failed.
   */
  hold(desired: DesiredModels, signal: AbortSignal): Promise<void>;
}
