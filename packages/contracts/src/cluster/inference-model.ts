// Written by `make generate` from crds/inferencemodels.yaml.
import type { KubeObject, Resource } from '@sightline/kube/kube-object';

export const INFERENCE_MODELS: Resource = {
  group: 'sightline.dev',
  version: 'v1alpha1',
  kind: 'InferenceModel',
  plural: 'inferencemodels',
};

/** A model pack, and the pods that hold it when it is wanted. As the API server returns it: what has a default is there. */
export interface InferenceModel extends KubeObject {
  readonly spec: InferenceModelSpec;
  readonly status?: InferenceModelStatus;
}

export interface InferenceModelSpec {
  /** What it answers. */
  readonly task: 'Face' | 'Object' | 'OpenVocabulary';
  /** The name under which the API shows it, such as buffalo_l. Default: the name of this object. */
  readonly packName?: string;
  /** The revision that the pack must have once it is unpacked: the SHA-256 over its files and their preprocessing, as every answer names it. Independent of where it comes from and how it is wrapped. */
  readonly revision?: string;
  /** Where it comes from. It is fetched and verified once, into the installation's model store; pods take it from there. */
  readonly source: {
    /** The starter pack of the task, made from published files that the release names by digest. */
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
    /** It is in the installation's model store already; spec.revision says which. */
    readonly store?: Readonly<Record<string, never>>;
    /** Of the file or archive, compared while it is read. */
    readonly sha256?: string;
    /** More is not read; room is looked for before it is. */
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
  /** The InferenceModel in whose pods this one is loaded, so that several share a GPU and one can follow another in place. Default: it has pods of its own. */
  readonly podsOf?: string;
  /** How its pods run. Only what is listed here can be set; a pod template would give authors of this object the rights of the operator. */
  readonly runtime?: {
    readonly device: 'CPU' | 'GPU';
    readonly gpu?: {
      readonly resourceName: string;
      readonly count: number;
    };
    /** Inference threads of a pod. Default: one for each CPU of the limit, one alone on a GPU. */
    readonly threads?: number;
    /** Images of a pod that may wait. */
    readonly queueLimit?: number;
    readonly resources?: {
      readonly requests?: Readonly<Record<string, number | string>>;
      readonly limits?: Readonly<Record<string, number | string>>;
    };
    /** Limit of the emptyDir that holds a pod's models. */
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
    /** Label of nodes over whose values pods are spread, as far as possible. */
    readonly spreadOver: string;
    /** Those of sightline.dev and kubernetes.io are left out: services and policies select pods by them. */
    readonly podLabels?: Readonly<Record<string, string>>;
    /** Those of sightline.dev, of the kubelet and of security profiles are left out. */
    readonly podAnnotations?: Readonly<Record<string, string>>;
  };
  /** Pods while something of them is wanted. Owned by the autoscaler or person that uses the scale subresource, if one does. */
  readonly replicas: number;
  /** A HorizontalPodAutoscaler on the scale subresource of this object. */
  readonly autoscaling?: {
    readonly minReplicas: number;
    readonly maxReplicas: number;
    /** Percent of the requested CPU, on average. */
    readonly cpuUtilization?: number;
    /** Seconds that an image waits for a thread, on average, such as 200m. The cluster has to serve the pod metric sightline_inference_queue_wait_seconds_average. */
    readonly queueWait?: string;
    readonly scaleDownStabilizationSeconds: number;
  };
  /** How pods are exchanged when the image or the runtime changes. A change of models exchanges no pods. */
  readonly rollout: {
    /** Surge: a new pod first, which takes another GPU for a while. Replace: an old pod goes first. */
    readonly type: 'Surge' | 'Replace';
  };
  /** What is kept of it while no route names it: nothing, its verified files in the model store, these also on the disks of the pods that there are, or the loaded model in pods, which Warm keeps up. */
  readonly standby: 'None' | 'Store' | 'Disk' | 'Warm';
  /** Nothing is done for it, and its pods are scaled to none, until this is false again. */
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
  /** Pods of its own, whatever they hold. */
  readonly replicas?: number;
  readonly selector?: string;
  /** The InferenceModel in whose pods it is. */
  readonly host?: string;
  readonly pods?: {
    readonly wanted?: number;
    readonly onDisk?: number;
    readonly warm?: number;
    /** Pods that had a request for it within the last 30 s. */
    readonly asked?: number;
    readonly summary?: string;
  };
  readonly routes?: readonly string[];
  /** What was verified. Once it is set, other bytes are refused. */
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
    /** How many. */
    readonly classes?: number;
    readonly components?: readonly {
      readonly role?: string;
      readonly file?: string;
      readonly sha256?: string;
    }[];
    readonly verifiedAt?: string;
  };
  /** While it is fetched. */
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
    /** Absent where only a change of this object helps. */
    readonly retryAt?: string;
  };
}
