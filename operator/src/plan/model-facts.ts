import type { InferenceModel } from '@sightline/contracts/cluster/inference-model';
import type { InferenceRoute } from '@sightline/contracts/cluster/inference-route';
import type { Demand } from './demands.ts';
import type { LastFailure, Failure } from './failures.ts';
import type { FetchPlan } from './fetch.ts';
import type { PodCounts } from './pod-counts.ts';
import type { ObservedDeployment, ObservedPod } from './snapshot.ts';

/** The observed and planned facts about a model, in addition to its object. */
export interface ModelContext {
  readonly now: number;
  readonly demand: Demand;
  readonly fetch: FetchPlan;
  readonly routes: readonly InferenceRoute[];
  /** The pods of the model's host. */
  readonly pods: readonly ObservedPod[];
  /** The desired number of the host's pods. */
  readonly podsDesired: number;
  readonly rollout: InferenceModel['spec']['rollout'];
  /** The Deployment of the model's host; null if there is none. */
  readonly deployment: ObservedDeployment | null;
  /** Whether the pods should not load the model for now, because an attempt failed. They retry after a pause. */
  readonly isDeferred: boolean;
  /** The API server's rejection of new or changed pods; null if there is none. */
  readonly refusal: Failure | null;
  /** A missing requirement of the model, such as its host; null if none is missing. */
  readonly missing: Failure | null;
}

/** The facts from which the status of a model is computed. */
export interface ModelFacts extends ModelContext {
  readonly model: InferenceModel;
  readonly counts: PodCounts;
  /** The current failure; null if there is none. */
  readonly failure: LastFailure | null;
  readonly isVerified: boolean;
}
