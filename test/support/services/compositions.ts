import { describe } from '@jest/globals';
import { describeWithMinio } from '../servers/minio.ts';
import { describeWithQdrant } from '../servers/qdrant.ts';
import { type SharedService, sharedService } from './shared-service.ts';

export type TakeEnvironment = () => Promise<SharedService>;

/**
 * Describes a suite that must pass in each composition. The compositions are a single process, and
 * platforms of several processes on shared stores, which get requests in turn. One platform has an
 * index in each process; the other one has a Qdrant and a worker.
 */
export function describeInCompositions(name: string, body: (take: TakeEnvironment) => void): void {
  describe(name, () => {
    describe('in one process', () => body(() => sharedService('standalone')));
    describeWithMinio('as several processes', () => {
      describe('on shared stores', () => body(() => sharedService('platform')));
      describeWithQdrant('with a Qdrant', () => {
        describe('on shared stores', () => body(() => sharedService('platform-with-qdrant')));
      });
    });
  });
}
