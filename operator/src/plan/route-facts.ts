import type { InferenceModel } from '@sightline/contracts/cluster/inference-model';
import type {
  InferenceRoute,
  InferenceRouteStatus,
} from '@sightline/contracts/cluster/inference-route';
import type { Offer } from './offer.ts';
import type { ObservedPod } from './snapshot.ts';

export type RoutePhase = NonNullable<InferenceRouteStatus['phase']>;

/** A route, and what is known of the models that it names. */
export interface RouteSnapshot {
  /** In ms since 1970. */
  readonly now: number;
  readonly route: InferenceRoute;
  /** Of the namespace. */
  readonly models: readonly InferenceModel[];
  /** Pods of the host of the wanted model. */
  readonly pods: readonly ObservedPod[];
  /** How many of them there should be. */
  readonly podsWanted: number;
  /** Pods that had a request for the previous model lately. */
  readonly formerAsked: number;
}

/** What a status is made of. */
export interface RouteFacts extends RouteSnapshot {
  /** The wanted model; undefined: there is none of the name. */
  readonly model: InferenceModel | undefined;
  /** The wanted model answers. */
  readonly isSettled: boolean;
  /** Nobody names the previous model any more. */
  readonly isDrained: boolean;
  /** Of the wanted model; undefined: it is not verified. */
  readonly revision: string | undefined;
  /** Why the wanted model can never answer; null: it can. */
  readonly unfit: string | null;
  readonly offer: Offer | null;
  /** In ms since 1970. */
  readonly wantedSince: number;
  /** Nothing has gone on for too long. */
  readonly isLate: boolean;
}
