import type { AnalyzerStatus } from './analyzer-status.ts';
import type { DesiredModels } from './desired-models.ts';

/** The processes that run models: this process alone, or the inference processes. */
export interface ModelHosts {
  /** The status of every host that responds. */
  statuses(signal: AbortSignal): Promise<readonly AnalyzerStatus[]>;

  /**
   * Sends the desired state to every host that responds, and resolves once these hosts have received it. A host then
   * downloads missing files and loads new models while the old models still serve. It unloads an old model after the
   * model's last request. Statuses report the progress. A repeated call only makes a host retry failed models at once.
   */
  hold(desired: DesiredModels, signal: AbortSignal): Promise<void>;
}
