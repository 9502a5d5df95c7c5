import type { InferenceModelStatus } from '@sightline/contracts/cluster/inference-model';
import type { ObservedPod } from './snapshot.ts';

const MIB = 2 ** 20;
/** The suggested memory request, as a multiple of the memory at warm-up: the runtime allocates more while it works. */
const WORKING_MEMORY = 1.5;
/** Suggested memory is a multiple of this, in MiB. */
const STEP_MIB = 64;

/**
 * The threads and the memory of a host's pods, and the request that they suggest, from the pod that uses the most memory.
 * Without a pod that reports them, those of the last pods remain.
 */
export function runtimeStatus(
  pods: readonly ObservedPod[],
  status: InferenceModelStatus | undefined,
): Pick<InferenceModelStatus, 'runtime'> {
  const reported = pods.flatMap(({ runtime, isTerminating }) =>
    isTerminating ? [] : (runtime ?? []),
  );
  const largest = reported.toSorted((a, b) => b.memoryBytes - a.memoryBytes)[0];
  if (largest === undefined)
    return status?.runtime === undefined ? {} : { runtime: status.runtime };
  const { threads, memoryBytes } = largest;
  const memory = Math.ceil((memoryBytes * WORKING_MEMORY) / MIB / STEP_MIB) * STEP_MIB;
  return {
    runtime: {
      threads,
      warmUpMemory: `${Math.ceil(memoryBytes / MIB)}Mi`,
      suggestedRequests: { cpu: String(threads), memory: `${memory}Mi` },
    },
  };
}
