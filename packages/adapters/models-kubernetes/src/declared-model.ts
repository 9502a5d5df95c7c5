import type { DeclaredFailure, DeclaredModel } from '@sightline/core/models/declared-models';
import type { InferenceModel } from '@sightline/contracts/cluster/inference-model';
import { MODEL_TASKS } from '@sightline/contracts/cluster/cluster-task';
import { conditionOf } from '@sightline/contracts/cluster/inference-route-rules';

/** Failures of a pack or its source. Only programs of this product write the messages of these failures. */
const FETCH_REASONS: ReadonlySet<string> = new Set([
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
/** Failures of pods to load a model that has been fetched. */
const LOAD_REASONS: ReadonlySet<string> = new Set([
  'LoadFailed',
  'NoDevice',
  'OutOfDeviceMemory',
  'OutOfMemory',
  'WarmUpFailed',
]);

/** Converts an InferenceModel into the core's type, which knows no Kubernetes. */
export function declaredModel(model: InferenceModel): DeclaredModel {
  const { metadata, spec, status } = model;
  return {
    name: metadata.name,
    packName: spec.packName ?? metadata.name,
    task: MODEL_TASKS[spec.task],
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
 * The current failure of a model. Only failures of the pack or its source can be final. Failures of pods are not,
 * because other pods may still load the model; API callers get a summary of them without the messages of the
 * scheduler, the kubelet or a log.
 */
function failureOf({ metadata, status }: InferenceModel): DeclaredFailure | null {
  const { reason, message = '' } = status?.lastFailure ?? {};
  if (reason === undefined || !isCurrent(reason, status)) return null;
  const isOfFetching = FETCH_REASONS.has(reason);
  const isOfLoading = LOAD_REASONS.has(reason);
  const summary = `InferenceModel ${metadata.name} failed with ${reason}; its status has the details.`;
  return {
    message: isOfFetching ? message : summary,
    // The operator retries some of these failures; a request of the API does not wait for that.
    isFinal: isOfFetching,
    isOfLoading,
  };
}

/** Whether a failure persists. The status keeps `lastFailure` after the failure has ended. */
function isCurrent(reason: string, status: InferenceModel['status']): boolean {
  return ['Verified', 'Warm'].some((type) => {
    const condition = conditionOf(status?.conditions, type);
    return condition?.status === 'False' && condition.reason === reason;
  });
}
