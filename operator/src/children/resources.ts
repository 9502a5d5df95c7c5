import type { InferenceModel } from '@sightline/contracts/cluster/inference-model';

type Runtime = NonNullable<InferenceModel['spec']['runtime']>;
type Quantities = Readonly<Record<string, string>>;

/** The default requests of a pod: enough for a small pack on one core. */
const DEFAULT_REQUESTS: Quantities = { cpu: '500m', memory: '512Mi' };
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
 * The configured number of threads; else one on a GPU, or one per CPU of the CPU limit. Null without a CPU limit: the
 * process then counts the CPUs itself.
 */
export function inferenceThreads({ threads, device, resources }: Runtime): number | null {
  if (threads !== undefined) return threads;
  if (device === 'GPU') return 1;
  const cpus = resources?.limits?.cpu;
  return cpus === undefined ? null : Math.max(1, Math.floor(toCpus(String(cpus))));
}

/**
 * The CPU and memory limits, used as requests. They replace the default requests, because a request must not exceed
 * its limit.
 */
function limited({ cpu, memory }: Quantities): Quantities {
  return { ...(cpu !== undefined && { cpu }), ...(memory !== undefined && { memory }) };
}

function toCpus(quantity: string): number {
  return quantity.endsWith('m') ? parseFloat(quantity) / 1000 : parseFloat(quantity);
}

function toTexts(quantities: Readonly<Record<string, number | string>> = {}): Quantities {
  return Object.fromEntries(
    Object.entries(quantities).map(([name, quantity]) => [name, String(quantity)]),
  );
}
