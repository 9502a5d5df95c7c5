import type { InferenceModel } from '@sightline/contracts/cluster/inference-model';
import { nameOf } from '../plan/hosts.ts';
import type { Installation } from './installation.ts';
import { type Intent, toIntent } from './intent.ts';
import { DEPLOYMENTS } from './kinds.ts';
import { childName, inferenceLabels, podSelector } from '../plan/labels.ts';
import { placementOfPods, placementSpec, podMetadata } from './placement.ts';
import {
  commonEnvironment,
  commonVolumes,
  containerSecurity,
  emptyDir,
  FOLDERS,
  OPS,
  podBasics,
  readOnly,
  toEnvironment,
} from './pod-template.ts';
import { gpusOf, inferenceThreads, podResources, requestOfSpace } from './resources.ts';
import { SERVING_FILE } from './build-serving-config.ts';

type Runtime = NonNullable<InferenceModel['spec']['runtime']>;

const HTTP = { name: 'http', containerPort: 8080, protocol: 'TCP' };
/**
 * The time in s after which a ready pod counts as available. By then, DNS answers that callers cached before the pod
 * was ready, and that lack its address, have expired.
 */
const MIN_READY_SECONDS = 40;
const DRAIN_SECONDS = 10;
/**
 * The time in s that a terminating pod has: enough for the drain, for requests of up to 30 s, and for the exit of the
 * process.
 */
const GRACE_SECONDS = 60;
/** The default requests of a pod: enough for a small pack on one core. */
const POD_REQUESTS = { cpu: '500m', memory: '512Mi' };
const PROGRESS_DEADLINE_SECONDS = 600;
const DEFAULT_RUNTIME: Runtime = {
  device: 'CPU',
  modelSpace: '4Gi',
  spreadOver: 'kubernetes.io/hostname',
};
const ROLLOUTS = {
  Surge: { maxSurge: 1, maxUnavailable: 0 },
  Replace: { maxSurge: 0, maxUnavailable: 1 },
};

/**
 * The Deployment of a host's pods. The pod template does not contain the models, so a change of models replaces no pods.
 */
export function buildDeployment(
  host: InferenceModel,
  { installation, replicas }: { readonly installation: Installation; readonly replicas: number },
): Intent {
  const name = nameOf(host);
  const spec = {
    replicas,
    revisionHistoryLimit: 2,
    minReadySeconds: MIN_READY_SECONDS,
    progressDeadlineSeconds: PROGRESS_DEADLINE_SECONDS,
    strategy: { type: 'RollingUpdate', rollingUpdate: ROLLOUTS[host.spec.rollout.type] },
    selector: { matchLabels: podSelector(name, 'inference') },
    template: podTemplate(host, installation),
  };
  const labels = inferenceLabels(name);
  return toIntent({
    resource: DEPLOYMENTS,
    model: host,
    name: childName(name),
    labels,
    body: { spec },
  });
}

function podTemplate(host: InferenceModel, installation: Installation) {
  const { runtime = DEFAULT_RUNTIME } = host.spec;
  const placement = placementOfPods(runtime);
  const mounted = volumes(host, runtime, installation);
  return {
    metadata: podMetadata(placement, inferenceLabels(nameOf(host))),
    spec: {
      ...podBasics(installation, installation.inference),
      ...placementSpec(placement),
      ...scheduling(host, runtime),
      terminationGracePeriodSeconds: GRACE_SECONDS,
      containers: [
        container(
          runtime,
          installation,
          mounted.map(({ mount }) => mount),
        ),
      ],
      volumes: mounted.map(({ volume }) => volume),
    },
  };
}

function scheduling(host: InferenceModel, runtime: Runtime) {
  const { runtimeClassName } = runtime;
  return {
    ...(runtimeClassName !== undefined && { runtimeClassName }),
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: runtime.spreadOver,
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: { matchLabels: podSelector(nameOf(host), 'inference') },
      },
    ],
  };
}

function container(runtime: Runtime, installation: Installation, volumeMounts: readonly object[]) {
  const { image, gpuImage, imagePullPolicy } = installation;
  return {
    name: 'inference',
    image: runtime.device === 'GPU' ? gpuImage : image,
    imagePullPolicy,
    args: ['apps/inference/src/main.ts'],
    env: environment(runtime, installation),
    ports: [HTTP, OPS],
    // The operations port answers before models are loaded, so a long load does not restart a pod.
    livenessProbe: { ...probe('/livez'), periodSeconds: 10, failureThreshold: 6 },
    readinessProbe: { ...probe('/readyz'), periodSeconds: 2, failureThreshold: 1 },
    resources: podResources(runtime.resources, {
      requests: { ...POD_REQUESTS, ...requestOfSpace(String(runtime.modelSpace)) },
      gpus: gpusOf(runtime),
    }),
    ...containerSecurity(installation),
    terminationMessagePolicy: 'FallbackToLogsOnError',
    volumeMounts,
  };
}

function probe(path: string) {
  return { httpGet: { path, port: OPS.name }, timeoutSeconds: 5 };
}

function environment(runtime: Runtime, installation: Installation) {
  const device = runtime.device === 'GPU' ? 'cuda' : 'cpu';
  return toEnvironment({
    ...commonEnvironment(installation, installation.inference),
    SIGHTLINE_PORT: String(HTTP.containerPort),
    SIGHTLINE_DRAIN_SECONDS: String(DRAIN_SECONDS),
    // With `auto`, a pod without its GPU would use the CPU and respond slowly. With `cuda`, it fails, so its status
    // shows that the GPU is missing.
    SIGHTLINE_PROVIDER: installation.provider === '' ? device : installation.provider,
    SIGHTLINE_WORKERS: String(inferenceThreads(runtime)),
    SIGHTLINE_QUEUE_LIMIT: runtime.queueLimit === undefined ? '' : String(runtime.queueLimit),
    SIGHTLINE_STARTER: 'off',
    SIGHTLINE_CACHE: FOLDERS.models,
    SIGHTLINE_SERVING_FILE: `${FOLDERS.serving}/${SERVING_FILE}`,
    SIGHTLINE_INFERENCE_KEY_FILE: `${FOLDERS.inferenceKey}/key`,
  });
}

function volumes(host: InferenceModel, runtime: Runtime, installation: Installation) {
  const { name: secretName, key } = installation.inferenceKey;
  const serving = { configMap: { name: childName(nameOf(host)) } };
  const secret = { secretName, items: [{ key, path: 'key' }] };
  return [
    ...commonVolumes(installation, installation.inference),
    emptyDir('models', FOLDERS.models, String(runtime.modelSpace)),
    // Mounts the file's folder, because the kubelet does not update a file that is mounted alone (with `subPath`).
    readOnly('serving', FOLDERS.serving, serving),
    readOnly('inference-key', FOLDERS.inferenceKey, { secret }),
  ];
}
