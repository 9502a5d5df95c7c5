// Written by `make generate` from crds/inferencemodels.yaml.
import type { KubeObject, Resource } from '@sightline/kube/kube-object';

export const INFERENCE_MODELS: Resource = {
  group: 'sightline.dev',
  version: 'v1alpha1',
  kind: 'InferenceModel',
  plural: 'inferencemodels',
};

/** A model pack, and the pods that load it while it is requested. As the API server returns it: what has a default is there. */
export interface InferenceModel extends KubeObject {
  readonly spec: InferenceModelSpec;
  readonly status?: InferenceModelStatus;
}

export interface InferenceModelSpec {
  /** The task of the model. */
  readonly task: 'Face' | 'Object' | 'OpenVocabulary';
  /** The name of the model in the API, such as buffalo_l. Default: the name of this object. */
  readonly packName?: string;
  /** The revision that the unpacked pack must have: the SHA-256 of its files and their preprocessing, which every answer of the API names. It does not depend on the source or on how the pack is archived. */
  readonly revision?: string;
  /** The source of the model. A Job fetches and verifies it once and writes it into the installation's model store, from which pods read it. */
  readonly source: {
    /** The starter pack of the task, built from published files that the release names by digest. */
    readonly starter?: Readonly<Record<string, never>>;
    readonly http?: {
      readonly url: string;
    };
    readonly s3?: {
      readonly endpoint: string;
      readonly bucket: string;
      /** A file, or a folder if it ends in a slash. */
      readonly key: string;
      readonly region: string;
      readonly virtualHosts: boolean;
    };
    readonly claim?: {
      readonly name: string;
      readonly path: string;
    };
    /** The model is in the installation's model store already; spec.revision selects it. */
    readonly store?: Readonly<Record<string, never>>;
    /** SHA-256 of the file or archive, compared while it is downloaded. */
    readonly sha256?: string;
    /** The maximum size of the download in bytes; the Job checks the free space before it starts. */
    readonly sizeBytes?: number;
    /** A Secret with the keys token, or username and password (http), or accessKey, secretKey and, where there is one, sessionToken (s3). */
    readonly credentialsSecret?: {
      readonly name: string;
    };
    readonly caBundle?: {
      /** A ConfigMap. */
      readonly name: string;
      readonly key: string;
    };
  };
  /** The InferenceModel in whose pods this model is loaded, so that models share a GPU and can be switched in place. Default: the model has pods of its own. */
  readonly podsOf?: string;
  /** The settings of its pods. Only the listed fields can be set; a pod template would give authors of this object the rights of the operator. */
  readonly runtime?: {
    readonly device: 'CPU' | 'GPU';
    readonly gpu?: {
      readonly resourceName: string;
      readonly count: number;
    };
    /** Inference threads of a pod. Default: one on a GPU; else one for each full CPU of the limit, or of the request if there is no limit; at least one. A pod starts fewer if their models would need more than half of its memory limit. */
    readonly threads?: number;
    /** Maximum number of images that wait in a pod. */
    readonly queueLimit?: number;
    readonly resources?: {
      readonly requests?: Readonly<Record<string, number | string>>;
      readonly limits?: Readonly<Record<string, number | string>>;
    };
    /** Size limit of the emptyDir for a pod's models, and the disk that pods and fetch Jobs request by default. */
    readonly modelSpace: number | string;
    readonly runtimeClassName?: string;
    readonly priorityClassName?: string;
    readonly nodeSelector?: Readonly<Record<string, string>>;
    readonly tolerations?: readonly {
      readonly key?: string;
      readonly operator?: 'Exists' | 'Equal';
      readonly value?: string;
      readonly effect?: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
      readonly tolerationSeconds?: number;
    }[];
    /** The node label over whose values pods are spread, as far as possible. */
    readonly spreadOver: string;
    /** Further labels of the pods. The operator ignores those of sightline.dev and kubernetes.io, by which services and policies select pods. */
    readonly podLabels?: Readonly<Record<string, string>>;
    /** Further annotations of the pods. The operator ignores those of sightline.dev, of the kubelet and of security profiles. */
    readonly podAnnotations?: Readonly<Record<string, string>>;
  };
  /** The settings of the Job that fetches the model. The placement that is not set here is that of the pods that load the model. */
  readonly fetch?: {
    readonly resources?: {
      readonly requests?: Readonly<Record<string, number | string>>;
      readonly limits?: Readonly<Record<string, number | string>>;
    };
    readonly priorityClassName?: string;
    readonly nodeSelector?: Readonly<Record<string, string>>;
    readonly tolerations?: readonly {
      readonly key?: string;
      readonly operator?: 'Exists' | 'Equal';
      readonly value?: string;
      readonly effect?: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
      readonly tolerationSeconds?: number;
    }[];
    /** Further labels of the pods. The operator ignores those of sightline.dev and kubernetes.io, by which services and policies select pods. */
    readonly podLabels?: Readonly<Record<string, string>>;
    /** Further annotations of the pods. The operator ignores those of sightline.dev, of the kubelet and of security profiles. */
    readonly podAnnotations?: Readonly<Record<string, string>>;
  };
  /** Number of pods while at least one of their models is requested. If an autoscaler or a person uses the scale subresource, they own this field. */
  readonly replicas: number;
  /** A HorizontalPodAutoscaler on the scale subresource of this object. */
  readonly autoscaling?: {
    readonly minReplicas: number;
    readonly maxReplicas: number;
    /** Target of the average CPU use, in percent of the request. */
    readonly cpuUtilization?: number;
    /** Target of the average time that an image waits for a thread, in seconds, such as 200m. The cluster must serve the pod metric sightline_inference_queue_wait_seconds_average. */
    readonly queueWait?: string;
    readonly scaleDownStabilizationSeconds: number;
  };
  /** The strategy for replacing pods when the image or the runtime changes. A change of models replaces no pods. */
  readonly rollout: {
    /** Surge starts a new pod first, which temporarily needs another GPU. Replace deletes an old pod first. */
    readonly type: 'Surge' | 'Replace';
  };
  /** The state to keep while no route names the model. None keeps nothing, Store keeps its verified files in the model store, Disk keeps them also on the disks of existing pods, and Warm keeps pods that have loaded it. */
  readonly standby: 'None' | 'Store' | 'Disk' | 'Warm';
  /** While true, the operator scales its pods to zero and does nothing else for the model. */
  readonly suspend: boolean;
}

export interface InferenceModelStatus {
  readonly observedGeneration?: number;
  /** For people; programs read the conditions. */
  readonly state?:
    | 'Pending'
    | 'Available'
    | 'Fetching'
    | 'Verified'
    | 'Warming'
    | 'Warm'
    | 'Active'
    | 'NotServing'
    | 'Draining'
    | 'Failed'
    | 'Suspended'
    | 'Deleting';
  readonly conditions?: readonly {
    readonly type: string;
    readonly status: 'True' | 'False' | 'Unknown';
    readonly observedGeneration?: number;
    readonly lastTransitionTime: string;
    readonly reason: string;
    readonly message: string;
  }[];
  /** Number of its own pods, whatever they have loaded. */
  readonly replicas?: number;
  readonly selector?: string;
  /** The pod that uses the most memory. Present once a pod has loaded the models. */
  readonly runtime?: {
    /** Number of inference threads, which the memory limit may reduce. */
    readonly threads?: number;
    /** Memory of the process when its models were warm, such as 578Mi. */
    readonly warmUpMemory?: string;
    /** The requests for runtime.resources that this pod suggests. */
    readonly suggestedRequests?: {
      readonly cpu?: string;
      readonly memory?: string;
    };
  };
  /** The InferenceModel in whose pods it is loaded. */
  readonly host?: string;
  readonly pods?: {
    readonly desired?: number;
    readonly onDisk?: number;
    readonly warm?: number;
    /** Number of pods that had a request for it within the last 30 s. */
    readonly requested?: number;
    readonly summary?: string;
  };
  readonly routes?: readonly string[];
  /** The verified pack. Once it is set, other bytes are refused. */
  readonly pack?: {
    readonly name?: string;
    readonly version?: string;
    readonly revision?: string;
    readonly shortRevision?: string;
    readonly sha256?: string;
    readonly sizeBytes?: number;
    readonly license?: string;
    readonly commercialUse?: boolean;
    readonly provides?: readonly string[];
    readonly embeddingDimension?: number;
    /** Number of classes. */
    readonly classes?: number;
    readonly components?: readonly {
      readonly role?: string;
      readonly file?: string;
      readonly sha256?: string;
    }[];
    readonly verifiedAt?: string;
  };
  /** The progress of the fetch, present while the model is being fetched. */
  readonly fetch?: {
    readonly bytes?: number;
    readonly totalBytes?: number;
    readonly attempt?: number;
    readonly startedAt?: string;
  };
  readonly lastFailure?: {
    readonly reason?:
      | 'SourceUnreachable'
      | 'AccessDenied'
      | 'NotFound'
      | 'DigestMismatch'
      | 'RevisionMismatch'
      | 'ArchiveInvalid'
      | 'TooLarge'
      | 'NoSpace'
      | 'PackRefused'
      | 'TaskMismatch'
      | 'DigestRequired'
      | 'StoreUnavailable'
      | 'FetchFailed'
      | 'LoadFailed'
      | 'OutOfMemory'
      | 'OutOfDeviceMemory'
      | 'NoDevice'
      | 'WarmUpFailed'
      | 'Unschedulable'
      | 'ImageUnavailable'
      | 'Refused'
      | 'SecretMissing'
      | 'PodsOfMissing'
      | 'InstallationMissing'
      | 'DeadlineExceeded';
    readonly message?: string;
    readonly pod?: string;
    readonly time?: string;
    readonly count?: number;
    /** Absent if only a change of this object can help. */
    readonly retryAt?: string;
  };
}
