import type { DeclaredFailure, DeclaredModel } from '@sightline/core/models/model-routes';
import type { InferenceModel } from '@sightline/kube/resources/inference-model';

const TASKS = { Face: 'face', Object: 'object', OpenVocabulary: 'open_vocabulary' } as const;

/** Reasons of pods that could not load a model whose files are there. */
const OF_LOADING: ReadonlySet<string> = new Set([
  'LoadFailed',
  'NoDevice',
  'OutOfDeviceMemory',
  'OutOfMemory',
  'WarmUpFailed',
]);

/** What an InferenceModel says to those who know no Kubernetes. */
export function declaredModel({ metadata, spec, status }: InferenceModel): DeclaredModel {
  const isVerified = conditionOf(status, 'Verified')?.status === 'True';
  return {
    name: metadata.name,
    packName: spec.packName ?? metadata.name,
    task: TASKS[spec.task],
    needs: status?.pack?.revision ?? spec.revision ?? null,
    ...packOf(isVerified ? status?.pack : undefined),
    progress: progressOf(status?.fetch),
    failure: failureOf(status),
  };
}

type Status = NonNullable<InferenceModel['status']>;

function packOf(pack: Status['pack']): Pick<DeclaredModel, 'revision' | 'bytes' | 'sha256'> {
  const { revision = null, sizeBytes: bytes = null, sha256 = null } = pack ?? {};
  return { revision, bytes, sha256 };
}

function progressOf(fetch: Status['fetch']): DeclaredModel['progress'] {
  const { bytes: received, totalBytes: total = null } = fetch ?? {};
  return received === undefined ? null : { received, total };
}

/** One that is over is none: what a model failed of stays in its status as `lastFailure`. */
function failureOf(status: InferenceModel['status']): DeclaredFailure | null {
  const stalled = conditionOf(status, 'Stalled');
  const isFinal = stalled?.status === 'True';
  const at = ['Verified', 'Warm']
    .map((type) => conditionOf(status, type))
    .find((one) => one?.status === 'False' && one.reason === status?.lastFailure?.reason);
  const why = isFinal ? stalled : at;
  if (why === undefined) return null;
  return { message: why.message, isFinal, isOfLoading: OF_LOADING.has(why.reason) };
}

type Conditions = NonNullable<Status['conditions']>;

function conditionOf(
  status: { readonly conditions?: Conditions } | undefined,
  type: string,
): Conditions[number] | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}
