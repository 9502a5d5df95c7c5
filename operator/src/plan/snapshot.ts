import type { FetchProgress } from '@sightline/contracts/cluster/fetch-end';
import type {
  ReportedKeys,
  ReportedModel,
  ReportedRuntime,
} from '@sightline/contracts/cluster/model-report';
import type { InferenceModel } from '@sightline/contracts/cluster/inference-model';
import type { InferenceRoute } from '@sightline/contracts/cluster/inference-route';
import type { Failure } from './failures.ts';

/** The report of a pod about one model, at `/models` of the operations port. */
export interface PodModel {
  readonly name: string;
  readonly revision: string;
  readonly state: ReportedModel['state'];
  /** The failure of the model; null if it has not failed. */
  readonly failure: Failure | null;
  /** Seconds since the last request named the model; null if none has. */
  readonly lastRequestedSecondsAgo: number | null;
}

/** A pod that runs models. */
export interface ObservedPod {
  readonly name: string;
  /** When the pod became ready, in ms since 1970; null if it is not ready. */
  readonly readySince: number | null;
  /** Whether the pod is being deleted. */
  readonly isTerminating: boolean;
  /**
   * When the pod ended, in ms since 1970; null if it has not ended. Kubernetes keeps the object of an ended pod for a
   * while, although another pod replaces it.
   */
  readonly endedAt: number | null;
  /** The failure that keeps the pod from running; null if there is none. */
  readonly failure: Failure | null;
  /** The models that the pod reports; empty if it has not answered. */
  readonly models: readonly PodModel[];
  /** The threads and the memory that the pod reports; null before its models are warm. */
  readonly runtime: ReportedRuntime | null;
  /** The keys of callers that the pod reports; null if it has not answered. */
  readonly keys: ReportedKeys | null;
}

/** A pack in the model store, as a status describes it. */
export type StoredPack = NonNullable<NonNullable<InferenceModel['status']>['pack']>;

/** A Job that fetches a model. */
export interface ObservedFetch {
  /** The number of the attempt to fetch the model, from 1. */
  readonly attempt: number;
  /** The fingerprint of the model source that the Job downloads. It shows whether the source has changed. */
  readonly source: string;
  readonly isTerminating: boolean;
  /** The start of the Job, in ms since 1970. */
  readonly startedAt: number;
  readonly progress: FetchProgress | null;
  /** The failure that keeps the Job's pod from running; null if there is none. */
  readonly failure: Failure | null;
  /** The end of the fetch; null while it runs. */
  readonly end: FetchEnd | null;
}

export type FetchEnd =
  | { readonly at: number; readonly pack: StoredPack }
  | { readonly at: number; readonly failure: Failure };

export interface ObservedDeployment {
  /** The number of pods in any state. */
  readonly replicas: number;
  /** Why no more pods can be created, such as an exceeded quota; null if they can. */
  readonly refusal: string | null;
  /** A message about pods that are being replaced, with the failure of a new pod; null if no pods are being replaced. */
  readonly rolloutMessage: string | null;
  /** Why the replacement of pods has exceeded its deadline; null if it has not. */
  readonly stuck: string | null;
}

/** The observed state of a host with its guests, their pods, and the routes of the namespace. */
export interface HostSnapshot {
  /** The time in ms since 1970. */
  readonly now: number;
  readonly host: InferenceModel;
  readonly guests: readonly InferenceModel[];
  /** The routes of the namespace. */
  readonly routes: readonly InferenceRoute[];
  /** Why the namespace has no usable installation; null if it has one. */
  readonly notInstalled: string | null;
  /** Whether the operator refuses models without any digest. */
  readonly requireDigests: boolean;
  readonly deployment: ObservedDeployment | null;
  /** Why the API server rejects the desired pods; null if no rejection is known. */
  readonly refusal: string | null;
  /** Why the API server rejects the fetch Job of a model, by the name of the model. */
  readonly fetchRefusals: ReadonlyMap<string, string>;
  readonly pods: readonly ObservedPod[];
  /** The fetch Jobs by the name of the model. */
  readonly fetches: ReadonlyMap<string, ObservedFetch>;
}
