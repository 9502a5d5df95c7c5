import type { JobProgress } from '../jobs/job.ts';
import type { AnalyzerStatus } from '../models/analyzer-status.ts';
import type { ActiveModel } from '../models/model.ts';
import type { ModelSlot } from '../models/model-slot.ts';
import type { ModelRoles } from '../models/model-store.ts';
import type { Agreement } from './agreement.ts';

/** Whether the processes that should serve a desired model have loaded the model. */
export type Availability =
  | { readonly kind: 'available' | 'unavailable' }
  /** No inference process responds. */
  | { readonly kind: 'unreachable' }
  /** A process cannot load the model. The message explains the failure. */
  | { readonly kind: 'failed'; readonly message: string };

export interface DesiredSlot {
  readonly slot: ModelSlot;
  /** A number that increases with every change of the desired state. */
  readonly generation: number;
  /** Null if no known model is desired. The revision is null until the model's pack is verified. */
  readonly model: { readonly name: string; readonly revision: string | null } | null;
  readonly availability: Availability;
  /**
   * Whether a person has approved the model, if the source asks for approval. Only then are enrolled faces embedded
   * with the model, and only then does the model become active.
   */
  readonly isApproved: boolean;
  /** Whether enrolled faces get embeddings of the model before or after the switch. */
  readonly reembed: 'before' | 'after';
  /**
   * Which desired state the last published rollback or cancellation concerns: the current one (`this`) or an earlier
   * one (`previous`). Null if the source has published none.
   */
  readonly rolledBack: 'this' | 'previous' | null;
}

/** The observed state, on which the desired state may depend. */
export interface Observed {
  /** The statuses of the hosts that are ready. */
  readonly statuses: readonly AnalyzerStatus[];
  readonly roles: ModelRoles;
  /** The models that all hosts run; null if the hosts run different models, no host is ready, or this is unknown. */
  readonly agreement: Agreement | null;
}

/** The actual state of a slot, as the database has it. */
export interface SlotOutcome {
  readonly slot: ModelSlot;
  /** The generation of the desired state to which this outcome belongs. */
  readonly generation: number;
  readonly active: Pick<ActiveModel, 'name' | 'revision'> | null;
  /** The progress of embedding enrolled faces, in images; null if no activation is pending. */
  readonly reembedding: JobProgress | null;
  /**
   * A sentence that says why the desired model was rolled back, or that its activation was cancelled; null if neither
   * happened.
   */
  readonly rolledBack: string | null;
}

/** The state that a source publishes after each poll, and before and after an activation. */
export interface Published {
  readonly roles: ModelRoles;
  /**
   * The statuses of the ready hosts, which show whether a host lacks the desired models. If null, the source
   * publishes even if nothing has changed.
   */
  readonly statuses: readonly AnalyzerStatus[] | null;
  readonly slots: readonly SlotOutcome[];
}

/**
 * Knows the desired model of each slot, from the database or from the routes of a cluster. All methods throw
 * StoreUnavailable.
 */
export interface RolloutSource {
  /** Whether only one activation at a time may run in the installation, rather than one per slot. */
  readonly isExclusive: boolean;
  /** How long an activation waits until the model is available, in ms. */
  readonly availableWithinMs: number;

  /** The desired state of each slot for which a model is declared or known. */
  desired(observed: Observed): Promise<readonly DesiredSlot[]>;

  /** Publishes the state: sends the desired models to the hosts, or writes the status of the cluster's routes. */
  publish(published: Published, signal: AbortSignal): Promise<void>;
}
