import type { InferenceModel } from '@sightline/contracts/cluster/inference-model';
import { parseQuantity } from '../plan/quantity.ts';

type Runtime = NonNullable<InferenceModel['spec']['runtime']>;
type Quantities = Readonly<Record<string, string>>;

/** The default requests of a pod: enough for a small pack on one core. */
const DEFAULT_REQUESTS: Quantities = { cpu: '500m', memory: '512Mi' };
/** The most threads that a process accepts. */
const MAX_THREADS = 256;
const DEFAULT_GPU = { resourceName: 'nvidia.com/gpu', count: 1 };

/** Requests and limits of a pod, with its GPUs. */
export function podResources({ resources = {}, device, gpu = DEFAULT_GPU }: Runtime) {
  const gpus = device === 'GPU' ? { [gpu.resourceName]: String(gpu.count) } : {};
  const limits = { ...toTexts(resources.limits), ...gpus };
  return {
    requests: { ...DEFAULT_REQUESTS, ...limited(limits), ...toTexts(resources.requests) },
    ...(Object.keys(limits).length > 0 && { limits }),
  };
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

/**
 * The CPU and memory limits, used as requests. They replace the default requests, because a request must not exceed
 * its limit.
 */
function limited({ cpu, memory }: Quantities): Quantities {
  return { ...(cpu !== undefined && { cpu }), ...(memory !== undefined && { memory }) };
}

function toTexts(quantities: Readonly<Record<string, number | string>> = {}): Quantities {
  return Object.fromEntries(
    Object.entries(quantities).map(([name, quantity]) => [name, String(quantity)]),
  );
}
