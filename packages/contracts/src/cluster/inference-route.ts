// Written by `make generate` from crds/inferenceroutes.yaml.
import type { KubeObject, Resource } from '@sightline/kube/kube-object';

export const INFERENCE_ROUTES: Resource = {
  group: 'sightline.dev',
  version: 'v1alpha1',
  kind: 'InferenceRoute',
  plural: 'inferenceroutes',
};

/** The choice of the InferenceModel of the namespace that answers a task. As the API server returns it: what has a default is there. */
export interface InferenceRoute extends KubeObject {
  readonly spec: InferenceRouteSpec;
  readonly status?: InferenceRouteStatus;
}

export interface InferenceRouteSpec {
  /** The requested InferenceModel. The API's activation writes this field; if another field manager owns it, such as a GitOps controller, the API refuses the activation and names that manager. */
  readonly model?: string;
  /** The requested InferenceModel while model is not set. Charts set this field, so that an upgrade never reverts an activation. */
  readonly defaultModel?: string;
  /** A new face model needs its own embeddings of all enrolled faces. Before computes them first, while the previous model answers. After switches first, and requests that need matching are refused until the embeddings exist. Block waits until approvedRevision names the revision, and then works like Before. */
  readonly reembed: 'Before' | 'After' | 'Block';
  readonly approvedRevision?: string;
  /** Seconds for which the previous model stays loaded, so that switching back is quick. */
  readonly keepPreviousSeconds: number;
  /** Maximum number of seconds after a switch for which the previous model waits for requests that still name it. */
  readonly drainTimeoutSeconds: number;
  /** Seconds without progress after which a switch is reported as stalled. The previous model continues to answer, and the switch continues once it can. */
  readonly progressDeadlineSeconds: number;
}

export interface InferenceRouteStatus {
  readonly observedGeneration?: number;
  /** For people; programs read the conditions. */
  readonly phase?:
    | 'Empty'
    | 'Idle'
    | 'Preparing'
    | 'Available'
    | 'Reembedding'
    | 'Switching'
    | 'Draining'
    | 'Blocked'
    | 'RolledBack'
    | 'Stalled';
  readonly conditions?: readonly {
    readonly type: string;
    readonly status: 'True' | 'False' | 'Unknown';
    readonly observedGeneration?: number;
    readonly lastTransitionTime: string;
    readonly reason: string;
    readonly message: string;
  }[];
  readonly desired?: {
    readonly model: string;
    readonly revision?: string;
    readonly shortRevision?: string;
    readonly since?: string;
  };
  /** The available model, written by the operator when every ready pod that should load the requested model has loaded it, and at most one pod is missing. */
  readonly available?: {
    readonly revision: string;
    readonly pods: number;
    readonly since: string;
  };
  /** The active model, written by the worker from the rows of the database. */
  readonly active?: {
    /** Empty if no InferenceModel has this revision. */
    readonly model?: string;
    readonly name?: string;
    readonly revision: string;
    readonly shortRevision?: string;
    readonly since: string;
  };
  readonly previous?: {
    readonly model: string;
    readonly revision?: string;
    readonly shortRevision?: string;
    readonly since?: string;
  };
  readonly reembedding?: {
    readonly done?: number;
    readonly total?: number;
    readonly failed?: number;
    readonly summary?: string;
  };
  readonly switches?: number;
  readonly lastSwitchSeconds?: number;
}
