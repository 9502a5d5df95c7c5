import type { InferenceModel } from '@sightline/contracts/cluster/inference-model';
import type {
  InferenceRoute,
  InferenceRouteStatus,
} from '@sightline/contracts/cluster/inference-route';
import type { PodsAvailability } from './pods-availability.ts';
import type { ObservedPod } from './snapshot.ts';

export type RoutePhase = NonNullable<InferenceRouteStatus['phase']>;

/** A route, and what is known of the models that it names. */
export interface RouteSnapshot {
  /** In ms since 1970. */
  readonly now: number;
  readonly route: InferenceRoute;
  /** Of the namespace. */
  readonly models: readonly InferenceModel[];
  /** Pods of the host of the desired model. */
  readonly pods: readonly ObservedPod[];
  /** How many of them there should be. */
  readonly podsDesired: number;
  /** Pods that had a request for the previous model lately. */
  readonly previousRequested: number;
}

/** What a status is made of. */
export interface RouteFacts extends RouteSnapshot {
  /** The desired model; undefined: there is none of the name. */
  readonly model: InferenceModel | undefined;
  /** Whether the desired model is active. */
  readonly isSettled: boolean;
  /** Nobody names the previous model any more. */
  readonly isDrained: boolean;
  /** The pack of the desired model; undefined: it is not verified. */
  readonly revision: string | undefined;
  /** Why the desired model can never answer; null: it can. */
  readonly unfit: string | null;
  readonly availability: PodsAvailability | null;
  /** In ms since 1970. */
  readonly wantedSince: number;
  /** Nothing has gone on for too long. */
  readonly isLate: boolean;
}
