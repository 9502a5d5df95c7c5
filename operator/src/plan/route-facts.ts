import type { InferenceModel } from '@sightline/contracts/cluster/inference-model';
import type {
  InferenceRoute,
  InferenceRouteStatus,
} from '@sightline/contracts/cluster/inference-route';
import type { PodsAvailability } from './pods-availability.ts';
import type { ObservedPod } from './snapshot.ts';

export type RoutePhase = NonNullable<InferenceRouteStatus['phase']>;

/** A route with the observed state of the models that it names. */
export interface RouteSnapshot {
  /** The time in ms since 1970. */
  readonly now: number;
  readonly route: InferenceRoute;
  /** The models of the namespace. */
  readonly models: readonly InferenceModel[];
  /** The pods of the desired model's host. */
  readonly pods: readonly ObservedPod[];
  /** The desired number of that host's pods. */
  readonly podsDesired: number;
  /** The number of pods that had a request for the previous model recently. */
  readonly previousRequested: number;
}

/** The facts from which the status of a route is computed. */
export interface RouteFacts extends RouteSnapshot {
  /** The desired model; undefined if there is no model of its name. */
  readonly model: InferenceModel | undefined;
  /** Whether the desired model is active. */
  readonly isSettled: boolean;
  /** Whether requests no longer name the previous model. */
  readonly isDrained: boolean;
  /** The revision of the desired model; undefined if it is not verified. */
  readonly revision: string | undefined;
  /** Why the desired model can never serve the route; null if it can. */
  readonly unfit: string | null;
  readonly availability: PodsAvailability | null;
  /** The time of the request for the desired model, in ms since 1970. */
  readonly desiredSince: number;
  /** Whether the switch has made no progress within its deadline. */
  readonly isLate: boolean;
}
