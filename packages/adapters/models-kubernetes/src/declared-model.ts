import type { DeclaredFailure, DeclaredModel } from '@sightline/core/models/declared-models';
import type { InferenceModel } from '@sightline/contracts/cluster/inference-model';
import { conditionOf } from '@sightline/contracts/cluster/inference-route-rules';

const TASKS = { Face: 'face', Object: 'object', OpenVocabulary: 'open_vocabulary' } as const;

/** Reasons of what is wrong with a pack, or with its source. Only programs of this product say them. */
const OF_FETCHING: ReadonlySet<string> = new Set([
  'AccessDenied',
  'ArchiveInvalid',
  'DigestMismatch',
  'DigestRequired',
  'NotFound',
  'PackRefused',
  'RevisionMismatch',
  'TaskMismatch',
  'TooLarge',
]);
/** Reasons of pods that could not load a model whose files are there. */
const OF_LOADING: ReadonlySet<string> = new Set([
  'LoadFailed',
  'NoDevice',
  'OutOfDeviceMemory',
  'OutOfMemory',
  'WarmUpFailed',
]);

/** What an InferenceModel says to those who know no Kubernetes. */
export function declaredModel(model: InferenceModel): DeclaredModel {
  const { metadata, spec, status } = model;
  return {
    name: metadata.name,
    packName: spec.packName ?? metadata.name,
    task: TASKS[spec.task],
    needs: status?.pack?.revision ?? spec.revision ?? null,
    ...packOf(status),
    progress: progressOf(status?.fetch),
    failure: failureOf(model),
  };
}

type Status = NonNullable<InferenceModel['status']>;

function packOf(
  status: InferenceModel['status'],
): Pick<DeclaredModel, 'revision' | 'bytes' | 'sha256'> {
  const isVerified = conditionOf(status?.conditions, 'Verified')?.status === 'True';
  const pack = isVerified ? status?.pack : undefined;
  const { revision = null, sizeBytes: bytes = null, sha256 = null } = pack ?? {};
  return { revision, bytes, sha256 };
}

function progressOf(fetch: Status['fetch']): DeclaredModel['progress'] {
  const { bytes: received, totalBytes: total = null } = fetch ?? {};
  return received === undefined ? null : { received, total };
}

/**
 * Pods that are late, or wait for a node, are no failure that ends a request: those that run may load the model all the
 * same. Messages of the scheduler, the kubelet or a log are not for callers of the API: they stay in the status.
 */
function failureOf({ metadata, status }: InferenceModel): DeclaredFailure | null {
  const { reason, message = '', retryAt } = status?.lastFailure ?? {};
  if (reason === undefined || !isStill(reason, status)) return null;
  const isOfFetching = OF_FETCHING.has(reason);
  const isOfLoading = OF_LOADING.has(reason);
  const more = `InferenceModel ${metadata.name} failed with ${reason}; its status has the details.`;
  return {
    message: isOfFetching ? message : more,
    isFinal: retryAt === undefined && isOfFetching,
    isOfLoading,
  };
}

/** One that is over is none: what a model failed of stays in its status as `lastFailure`. */
function isStill(reason: string, status: InferenceModel['status']): boolean {
  return ['Verified', 'Warm'].some((type) => {
    const condition = conditionOf(status?.conditions, type);
    return condition?.status === 'False' && condition.reason === reason;
  });
}
