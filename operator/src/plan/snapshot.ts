import type { FetchProgress } from '@sightline/contracts/cluster/fetch-end';
import type { ReportedModel } from '@sightline/contracts/cluster/model-report';
import type { InferenceModel } from '@sightline/contracts/cluster/inference-model';
import type { InferenceRoute } from '@sightline/contracts/cluster/inference-route';
import type { Trouble } from './failures.ts';

/** What a pod says of one model, at `/models` of its operations port. */
export interface PodModel {
  readonly name: string;
  readonly revision: string;
  readonly state: ReportedModel['state'];
  /** Why it failed. */
  readonly trouble: Trouble | null;
  /** Seconds since a request named it; null: no request has. */
  readonly lastRequestedSecondsAgo: number | null;
}

/** A pod that runs models. */
export interface ObservedPod {
  readonly name: string;
  /** In ms since 1970; null: it is not ready. */
  readonly readySince: number | null;
  /** It is being stopped. */
  readonly isLeaving: boolean;
  /** When it ended, in ms since 1970: its object is kept, and another pod takes its place; null: it is not over. */
  readonly endedAt: number | null;
  /** What keeps it from running. */
  readonly trouble: Trouble | null;
  /** Empty if it has not answered. */
  readonly models: readonly PodModel[];
}

/** A pack in the model store, as a status describes it. */
export type StoredPack = NonNullable<NonNullable<InferenceModel['status']>['pack']>;

/** A Job that fetches a model. */
export interface ObservedFetch {
  /** Counted from 1. */
  readonly attempt: number;
  /** The fingerprint of what it fetches. */
  readonly source: string;
  readonly isLeaving: boolean;
  /** In ms since 1970. */
  readonly startedAt: number;
  readonly progress: FetchProgress | null;
  /** What keeps its pod from running. */
  readonly trouble: Trouble | null;
  /** How it has ended; null while it runs. */
  readonly end: FetchEnd | null;
}

export type FetchEnd =
  | { readonly at: number; readonly pack: StoredPack }
  | { readonly at: number; readonly trouble: Trouble };

export interface ObservedDeployment {
  /** Pods, whatever their state. */
  readonly replicas: number;
  /** Why no more pods can be made, such as a quota; null: they can. */
  readonly refusal: string | null;
  /** That pods are being exchanged, and what the new one waits for; null: they are as they are to be. */
  readonly exchange: string | null;
  /** Why an exchange of pods does not go on, after its deadline; null: it does, or there is none. */
  readonly stuck: string | null;
}

/** Everything that is known of a host, the models in its pods, and the demand for them. */
export interface HostSnapshot {
  /** In ms since 1970. */
  readonly now: number;
  readonly host: InferenceModel;
  readonly guests: readonly InferenceModel[];
  /** Of the namespace. */
  readonly routes: readonly InferenceRoute[];
  /** Why the namespace has no installation that says how pods are made; null: it has. */
  readonly notInstalled: string | null;
  /** Whether models without any digest are refused. */
  readonly requireDigests: boolean;
  readonly deployment: ObservedDeployment | null;
  /** Why the API server refuses the pods as they are to be; null: it does not, as far as is known. */
  readonly refusal: string | null;
  /** Why it refuses to have a model fetched, by the name of the model. */
  readonly fetchRefusals: ReadonlyMap<string, string>;
  readonly pods: readonly ObservedPod[];
  /** By the name of the model. */
  readonly fetches: ReadonlyMap<string, ObservedFetch>;
}
