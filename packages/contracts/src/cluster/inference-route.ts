// Written by `make generate` from crds/inferenceroutes.yaml.
import type { KubeObject, Resource } from '@sightline/kube/kube-object';

export const INFERENCE_ROUTES: Resource = {
  group: 'sightline.dev',
  version: 'v1alpha1',
  kind: 'InferenceRoute',
  plural: 'inferenceroutes',
};

/** Which InferenceModel of its namespace answers a task. As the API server returns it: what has a default is there. */
export interface InferenceRoute extends KubeObject {
  readonly spec: InferenceRouteSpec;
  readonly status?: InferenceRouteStatus;
}

export interface InferenceRouteSpec {
  /** The InferenceModel that is to answer. The API's activation writes this field; where another field manager owns it, such as a GitOps controller, the API refuses and names that manager. */
  readonly model?: string;
  /** The one that answers while model is not set. A chart sets this one, so that it never takes back what was activated. */
  readonly defaultModel?: string;
  /** Another face model needs embeddings of its own for all enrolled faces. Before: they are made first, while the former model answers. After: the new model answers at once, and requests that need matching are refused until they are made. Block: nothing happens until approvedRevision names the revision, then as Before. */
  readonly reembed: 'Before' | 'After' | 'Block';
  readonly approvedRevision?: string;
  /** How long the former model stays warm, so that the way back is quick. */
  readonly keepPreviousSeconds: number;
  /** After a switch, the longest that the former model waits for requests that still name it. */
  readonly drainTimeoutSeconds: number;
  /** A switch without progress for so long is reported as stalled. The former model goes on answering, and the switch goes on once it can. */
  readonly progressDeadlineSeconds: number;
}

export interface InferenceRouteStatus {
  readonly observedGeneration?: number;
  /** For people; programs read the conditions. */
  readonly phase?:
    | 'Empty'
    | 'Idle'
    | 'Preparing'
    | 'Offered'
    | 'Reembedding'
    | 'Switching'
    | 'Draining'
    | 'Blocked'
    | 'GaveWay'
    | 'Stalled';
  readonly conditions?: readonly {
    readonly type: string;
    readonly status: 'True' | 'False' | 'Unknown';
    readonly observedGeneration?: number;
    readonly lastTransitionTime: string;
    readonly reason: string;
    readonly message: string;
  }[];
  readonly wanted?: {
    readonly model: string;
    readonly revision?: string;
    readonly shortRevision?: string;
    readonly since?: string;
  };
  /** Written by the operator when every pod that should hold the wanted model holds it warm. */
  readonly offered?: {
    readonly revision: string;
    readonly pods: number;
    readonly since: string;
  };
  /** Written by the worker, from the rows of the database. */
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
