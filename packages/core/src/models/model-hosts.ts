/** What processes with models are to hold. */
export interface HostWish {
  /** `auto`: a GPU where there is one. */
  readonly provider: 'auto' | 'cpu';
  /**
   * One or two sets of models. A request that names models is answered by a set that has all of them; the
   * first set answers requests that name none.
   */
  readonly sets: readonly NamedModels[];
}

/** The processes that run models: this one, or inference processes. */
export interface ModelHosts {
  /** The status of every host that responds. */
  statuses(signal: AbortSignal): Promise<readonly AnalyzerStatus[]>;

  /**
   * Tells every host that responds what to hold. A host fetches what it lacks, loads new sets beside those
   * that answer, and lets go of others once they have answered all that they were given. Resolves when the
   * hosts are told; their statuses say how far they are. The same wish again changes nothing, but a host
   * that failed tries again.
   */
  hold(wish: HostWish, signal: AbortSignal): Promise<void>;
}
import type { AnalyzerStatus, NamedModels } from './analyzer-status.ts';
