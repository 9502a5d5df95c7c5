import { expect, test } from '@jest/globals';
import { inferenceThreads } from './resources.ts';

type Runtime = Parameters<typeof inferenceThreads>[0];

const CPU = { device: 'CPU', modelSpace: '4Gi', spreadOver: 'kubernetes.io/hostname' } as const;
const GPU = { ...CPU, device: 'GPU' } as const;
const limits = (cpu: number | string) => ({ limits: { cpu }, requests: { cpu: 64 } });
const requests = (cpu: number | string) => ({ requests: { cpu }, limits: { memory: '8Gi' } });

test.each<[string, Runtime, number]>([
  ['nothing is configured', CPU, 1],
  ['there are no quantities of CPU', { ...CPU, resources: { limits: { memory: '8Gi' } } }, 1],
  ['there is a request', { ...CPU, resources: requests('3') }, 3],
  ['the request is a number', { ...CPU, resources: requests(4) }, 4],
  ['the request is in millicores', { ...CPU, resources: requests('3999m') }, 3],
  ['the request is a fraction', { ...CPU, resources: requests('2.5') }, 2],
  ['the request is less than a core', { ...CPU, resources: requests('500m') }, 1],
  ['there is a limit beside the request', { ...CPU, resources: limits('2') }, 2],
  ['the limit is less than a core', { ...CPU, resources: limits('100m') }, 1],
  ['the limit has a unit', { ...CPU, resources: limits('0.002k') }, 2],
  ['the limit is larger than a process accepts', { ...CPU, resources: limits('500') }, 256],
  ['it has a GPU', { ...GPU, resources: limits('8') }, 1],
  ['threads are configured', { ...CPU, threads: 6, resources: limits('2') }, 6],
  ['threads are configured on a GPU', { ...GPU, threads: 2 }, 2],
])('threads of a pod if %s', (_, runtime, threads) => {
  expect(inferenceThreads(runtime)).toBe(threads);
});
