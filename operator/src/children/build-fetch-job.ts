import type { WrittenFetchRequest } from '@sightline/contracts/cluster/fetch-request';
import type { InferenceModel } from '@sightline/contracts/cluster/inference-model';
import type { FetchPlan } from '../plan/fetch.ts';
import { nameOf } from '../plan/hosts.ts';
import type { Installation } from './installation.ts';
import { type Intent, toIntent } from './intent.ts';
import { JOBS } from './kinds.ts';
import { fetchLabels, fetchName } from '../plan/labels.ts';
import { placementOfFetch, placementSpec, podMetadata } from './placement.ts';
import { podResources, requestOfSpace } from './resources.ts';
import {
  commonEnvironment,
  commonVolumes,
  containerSecurity,
  emptyDir,
  FOLDERS,
  type Mounted,
  OPS,
  podBasics,
  readOnly,
  toEnvironment,
} from './pod-template.ts';

/** The annotation of a Job with the number of the attempt to fetch the model, from 1. */
export const ATTEMPT_ANNOTATION = 'sightline.dev/attempt';
/**
 * The annotation of a Job with the fingerprint of the model source that the Job downloads. It shows whether the
 * source in the spec has changed since.
 */
export const SOURCE_ANNOTATION = 'sightline.dev/source';

/** The timeout of a Job. It ends the Job even if the source keeps sending a byte now and then. */
const DEADLINE_SECONDS = 6 * 3600;
const DEFAULT_SPACE = '4Gi';
const FETCH_REQUESTS = { cpu: '250m', memory: '256Mi' };
const FETCH_LIMITS = { memory: '2Gi' };

export interface FetchJobOptions {
  /** The model in whose pods the model is loaded. */
  readonly host: InferenceModel;
  readonly installation: Installation;
  readonly plan: FetchPlan;
}

/** The Job that fetches a model. The Job makes no retries itself, because the operator plans them. */
export function buildFetchJob(
  model: InferenceModel,
  { host, installation, plan }: FetchJobOptions,
): Intent {
  const name = nameOf(model);
  const placement = placementOfFetch(model.spec.fetch, host.spec.runtime);
  const pod = podMetadata(placement, fetchLabels(name));
  const annotations = {
    [ATTEMPT_ANNOTATION]: String(plan.attempt),
    [SOURCE_ANNOTATION]: plan.source,
  };
  const mounted = volumes(model, installation);
  const spec = {
    backoffLimit: 0,
    activeDeadlineSeconds: DEADLINE_SECONDS,
    template: {
      metadata: pod,
      spec: {
        ...podBasics(installation, installation.fetch),
        ...placementSpec(placement),
        restartPolicy: 'Never',
        containers: [container(model, installation, mounted)],
        volumes: mounted.map(({ volume }) => volume),
      },
    },
  };
  const made = toIntent({
    resource: JOBS,
    model,
    name: fetchName(name),
    // A queue of the cluster may select Jobs by the labels of users.
    labels: pod.labels,
    annotations,
    body: { spec },
  });
  return { ...made, fixed: plan.job === 'renew' ? 'renew' : 'keep' };
}

function container(model: InferenceModel, installation: Installation, mounted: readonly Mounted[]) {
  const { proxy } = installation;
  return {
    name: 'fetch',
    image: installation.image,
    imagePullPolicy: installation.imagePullPolicy,
    args: ['apps/models/src/main.ts', 'fetch'],
    env: toEnvironment({
      ...commonEnvironment(installation, installation.fetch),
      SIGHTLINE_CACHE: FOLDERS.models,
      SIGHTLINE_MODEL_MIRROR: installation.modelMirror,
      HTTP_PROXY: proxy.url,
      HTTPS_PROXY: proxy.url,
      NO_PROXY: proxy.noProxy,
      SIGHTLINE_FETCH: JSON.stringify(fetchRequest(model)),
    }),
    ports: [OPS],
    resources: podResources(model.spec.fetch?.resources, {
      requests: { ...FETCH_REQUESTS, ...requestOfSpace(spaceOf(model)) },
      limits: FETCH_LIMITS,
    }),
    ...containerSecurity(installation),
    // The termination message is the result, or the end of the log if the process was killed.
    terminationMessagePolicy: 'FallbackToLogsOnError',
    volumeMounts: mounted.map(({ mount }) => mount),
  };
}

/** The request for the fetch program. It contains no secrets, because those are mounted as files. */
function fetchRequest({ metadata, spec, status }: InferenceModel): WrittenFetchRequest {
  const { credentialsSecret, caBundle, ...source } = spec.source;
  return {
    task: spec.task,
    name: spec.packName ?? metadata.name,
    source,
    revision: status?.pack?.revision ?? spec.revision,
    ...(credentialsSecret !== undefined && { credentials: FOLDERS.credentials }),
    ...(caBundle !== undefined && { authority: `${FOLDERS.authority}/ca.crt` }),
    ...(source.claim !== undefined && { folder: `${FOLDERS.claim}/${source.claim.path}` }),
  };
}

function spaceOf({ spec }: InferenceModel): string {
  return String(spec.runtime?.modelSpace ?? DEFAULT_SPACE);
}

function volumes(model: InferenceModel, installation: Installation): readonly Mounted[] {
  const { credentialsSecret, caBundle, claim } = model.spec.source;
  const mounted = [
    ...commonVolumes(installation, installation.fetch),
    emptyDir('models', FOLDERS.models, spaceOf(model)),
  ];
  if (credentialsSecret !== undefined) {
    const secret = { secretName: credentialsSecret.name };
    mounted.push(readOnly('credentials', FOLDERS.credentials, { secret }));
  }
  if (caBundle !== undefined) {
    const configMap = { name: caBundle.name, items: [{ key: caBundle.key, path: 'ca.crt' }] };
    mounted.push(readOnly('authority', FOLDERS.authority, { configMap }));
  }
  if (claim !== undefined) {
    const persistentVolumeClaim = { claimName: claim.name, readOnly: true };
    mounted.push(readOnly('source', FOLDERS.claim, { persistentVolumeClaim }));
  }
  return mounted;
}
