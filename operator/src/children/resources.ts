import type { InferenceModel } from '@sightline/contracts/cluster/inference-model';
import { parseQuantity } from '../plan/quantity.ts';

type Runtime = NonNullable<InferenceModel['spec']['runtime']>;
type Quantities = Readonly<Record<string, string>>;

/** The most threads that a process accepts. */
const MAX_THREADS = 256;
const DEFAULT_GPU = { resourceName: 'nvidia.com/gpu', count: 1 };

export interface ResourceDefaults {
  readonly requests: Quantities;
  /** The limits of what is neither requested nor limited. */
  readonly limits?: Quantities;
  /** The limits that no configuration changes. */
  readonly gpus?: Quantities;
}

/** Requests and limits of a container. A request is at most its limit, whichever of the two is configured. */
export function podResources(
  given: Runtime['resources'] = {},
  { requests: usual, limits: usualLimits = {}, gpus = {} }: ResourceDefaults,
) {
  const [requested, limited] = [toTexts(given.requests), toTexts(given.limits)];
  const unset = Object.entries(usualLimits).filter(([name]) => !(name in requested));
  const limits = { ...Object.fromEntries(unset), ...limited, ...gpus };
  return {
    requests: { ...usual, ...ofAnyNode(limited), ...requested },
    ...(Object.keys(limits).length > 0 && { limits }),
  };
}

/**
 * The request for the files of models, which is the size of their volume. The kubelet first evicts pods that use more disk
 * than they request.
 */
export function requestOfSpace(modelSpace: string): Quantities {
  return { 'ephemeral-storage': modelSpace };
}

/** The GPUs of a pod, as a limit. */
export function gpusOf({ device, gpu = DEFAULT_GPU }: Runtime): Quantities {
  return device === 'GPU' ? { [gpu.resourceName]: String(gpu.count) } : {};
}

/**
 * The number of inference threads of a pod: as configured; else one on a GPU; else one per CPU of the limit or, without
 * a limit, of the request; else one. It never depends on the cores of the node. The process starts fewer if the models of
 * all threads would need too much of its memory limit, which only the process can measure.
 */
export function inferenceThreads({ threads, device, resources }: Runtime): number {
  if (threads !== undefined) return threads;
  if (device === 'GPU') return 1;
  const cpus = parseQuantity(resources?.limits?.cpu ?? resources?.requests?.cpu) ?? 1;
  return Math.min(MAX_THREADS, Math.max(1, Math.floor(cpus)));
}

/** The quantities that every node has. Others, such as GPUs, have no requests of their own. */
function ofAnyNode(quantities: Quantities): Quantities {
  const names = ['cpu', 'memory', 'ephemeral-storage'];
  return Object.fromEntries(Object.entries(quantities).filter(([name]) => names.includes(name)));
}

function toTexts(quantities: Readonly<Record<string, number | string>> = {}): Quantities {
  return Object.fromEntries(
    Object.entries(quantities).map(([name, quantity]) => [name, String(quantity)]),
  );
}
