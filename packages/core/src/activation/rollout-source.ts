import type { JobProgress } from '../jobs/job.ts';
import type { AnalyzerStatus } from '../models/analyzer-status.ts';
import type { ActiveModel } from '../models/model.ts';
import type { ModelSlot } from '../models/model-slot.ts';
import type { ModelRoles } from '../models/model-store.ts';
import type { Agreement } from './agreement.ts';

/** Whether the processes that are to answer with a desired model can. */
export type Availability =
  | { readonly kind: 'available' | 'unavailable' }
  /** No process with models responds. */
  | { readonly kind: 'unreachable' }
  /** A process cannot load it; the message names the fault. */
  | { readonly kind: 'failed'; readonly message: string };

/** The desired state of a slot. */
export interface DesiredSlot {
  readonly slot: ModelSlot;
  /** Counts the changes of the desired state. */
  readonly generation: number;
  /** Null: no model, or an unknown one. Its revision is null until its pack is verified. */
  readonly model: { readonly name: string; readonly revision: string | null } | null;
  readonly availability: Availability;
  /** Whether enrolled faces may be embedded with the model. */
  readonly isApproved: boolean;
  /** Whether enrolled faces get vectors of the model before it is active, or after. */
  readonly reembed: 'before' | 'after';
  /** Whether it was published that this desired state, or an earlier one, was rolled back or cancelled; null: neither. */
  readonly rolledBack: 'this' | 'previous' | null;
}

/** Facts on which the desired state may depend. */
export interface Observed {
  /** The statuses of the processes that are ready. */
  readonly statuses: readonly AnalyzerStatus[];
  readonly roles: ModelRoles;
  /** The models that all processes run; null: they differ, or none is ready, or that is not known. */
  readonly agreement: Agreement | null;
}

/** The state of a slot in the database. */
export interface SlotOutcome {
  readonly slot: ModelSlot;
  /** The generation of the desired state for which it was found. */
  readonly generation: number;
  /** Null: no model is active. */
  readonly active: Pick<ActiveModel, 'name' | 'revision'> | null;
  /** How far the embedding of enrolled faces is, in images; null: none are being embedded. */
  readonly reembedding: JobProgress | null;
  /** Why the desired model was rolled back, or that its activation was cancelled; null: neither. */
  readonly rolledBack: string | null;
}

/** The state that a source publishes in each poll, and before and after an activation. */
export interface Published {
  readonly roles: ModelRoles;
  /** Null: they are not known, and everything is published. */
  readonly statuses: readonly AnalyzerStatus[] | null;
  readonly slots: readonly SlotOutcome[];
}

/** Decides which model each slot is to have: the database or the routes of a cluster. All throw StoreUnavailable. */
export interface RolloutSource {
  /** Whether one activation has to wait for another, also for one of the other slot. */
  readonly isExclusive: boolean;
  /** How long an activation waits for the model to be available, in ms. */
  readonly availableWithinMs: number;

  /** The desired state of each slot that has one. */
  desired(observed: Observed): Promise<readonly DesiredSlot[]>;

  /** Publishes the state of the database: to the processes with models, or in the status of routes. */
  publish(published: Published, signal: AbortSignal): Promise<void>;
}
