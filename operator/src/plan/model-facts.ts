import type { InferenceModel } from '@sightline/contracts/cluster/inference-model';
import type { InferenceRoute } from '@sightline/contracts/cluster/inference-route';
import type { Demand } from './demands.ts';
import type { Failure, Trouble } from './failures.ts';
import type { FetchPlan } from './fetch.ts';
import type { PodCounts } from './pod-counts.ts';
import type { ObservedDeployment, ObservedPod } from './snapshot.ts';

/** What is known of a model beside its object. */
export interface ModelContext {
  readonly now: number;
  readonly demand: Demand;
  readonly fetch: FetchPlan;
  readonly routes: readonly InferenceRoute[];
  /** Those of its host. */
  readonly pods: readonly ObservedPod[];
  /** How many of them there should be. */
  readonly podsWanted: number;
  readonly rollout: InferenceModel['spec']['rollout'];
  /** Null: its host has none. */
  readonly deployment: ObservedDeployment | null;
  /** It is left out of the pods until a pause is over. */
  readonly isHeldBack: boolean;
  /** Why there cannot be more pods, or other ones; null: there can. */
  readonly refusal: Trouble | null;
  /** What is missing before anything can be done. */
  readonly missing: Trouble | null;
}

/** What a status is made of. */
export interface ModelFacts extends ModelContext {
  readonly model: InferenceModel;
  readonly counts: PodCounts;
  /** Why it does not go on now; null: it does. */
  readonly failure: Failure | null;
  readonly isVerified: boolean;
}
