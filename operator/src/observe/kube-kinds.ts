import type { KubeObject } from '@sightline/kube/kube-object';

/** The fields of Kubernetes' own objects that the operator reads. */
export interface Pod extends KubeObject {
  readonly spec?: { readonly volumes?: readonly Volume[] };
  readonly status?: {
    readonly phase?: string;
    readonly podIP?: string;
    readonly reason?: string;
    readonly message?: string;
    readonly conditions?: readonly PodCondition[];
    readonly containerStatuses?: readonly ContainerStatus[];
  };
}

export interface Volume {
  readonly secret?: { readonly secretName: string };
  readonly configMap?: { readonly name: string };
  readonly persistentVolumeClaim?: { readonly claimName: string };
}

export interface PodCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}

export interface ContainerStatus {
  readonly state?: ContainerState;
  readonly lastState?: ContainerState;
}

interface ContainerState {
  readonly waiting?: { readonly reason?: string; readonly message?: string };
  readonly terminated?: Terminated;
}

export interface Terminated {
  readonly exitCode: number;
  readonly reason?: string;
  readonly message?: string;
  readonly finishedAt?: string;
}

export interface Deployment extends KubeObject {
  readonly spec?: { readonly replicas?: number };
  readonly status?: {
    /** The last generation that the Deployment controller has processed; absent before the first one. */
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly conditions?: readonly PodCondition[];
  };
}

export interface Job extends KubeObject {
  readonly status?: {
    readonly startTime?: string;
    readonly conditions?: readonly PodCondition[];
  };
}

export interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}
