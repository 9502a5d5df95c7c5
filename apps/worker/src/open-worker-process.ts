import { tmpdir } from 'node:os';
import { openExternal } from '@sightline/composition/open-external';
import { Spool, SPOOL_RESERVE_BYTES } from '@sightline/platform/http/spool';
import { createDiskMetrics } from '@sightline/platform/metrics/disk-metrics';
import type { OpenedProcess, ProcessContext } from '@sightline/platform/process/run-process';
import { createWorkerRole } from './role.ts';

const PROCESS = {
  name: 'A worker',
  applicationName: 'sightline worker',
  needs: ['media', 'vectors', 'inference'],
} as const;

/** The groups of variables that a worker reads. */
export const WORKER_VARIABLES = [
  'spool',
  'start',
  'database',
  ...PROCESS.needs,
  'inferenceKey',
] as const;

/** @throws StartError if an external service is not configured, unavailable or unusable */
export async function openWorkerProcess(
  context: ProcessContext<(typeof WORKER_VARIABLES)[number]>,
): Promise<OpenedProcess> {
  const { endpoints, ...services } = await openExternal(PROCESS, context);
  createDiskMetrics(context.registry, { spool: tmpdir() });
  const { spoolMax: maxBytes } = context.config;
  const spool = new Spool({ maxBytes, reserveBytes: SPOOL_RESERVE_BYTES });
  return {
    roles: [createWorkerRole({ ...context, ...services, spool, endpoints: () => endpoints })],
    [Symbol.asyncDispose]: () => services[Symbol.asyncDispose](),
  };
}
