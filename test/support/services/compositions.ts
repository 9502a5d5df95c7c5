import { describe } from '@jest/globals';
import { describeWithMinio } from '../servers/minio.ts';
import { describeWithQdrant } from '../servers/qdrant.ts';
import { type SharedService, sharedService } from './shared-service.ts';

/** Takes an environment of the service of the tested composition. */
export type TakeEnvironment = () => Promise<SharedService>;

/**
 * A suite that passes in each composition: one process, or several processes on shared stores, which get
 * requests in turn. Those have an index in each process, or one Qdrant and a worker.
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
