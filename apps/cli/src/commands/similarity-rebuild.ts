import { SIMILARITY_READER } from '@sightline/core/similarity/similarity-queue';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import type { Command } from '../command.ts';
import { openInstallation } from '../open-installation.ts';

/**
 * `sightline similarity rebuild`: asks the worker to compute all suggestions, groups and mismatches again. Those that are
 * stored stay until the worker replaces them.
 */
export const similarityRebuild: Command = {
  options: {},
  operands: [],
  async run(input) {
    await using installation = await openInstallation(input);
    const requested = await installation.indexStatus.requestRebuild(SIMILARITY_READER);
    if (requested === 0) {
      throw new StartError(
        'No worker has run on this installation yet; the first one computes everything.',
      );
    }
    input.print('Requested. The worker begins within seconds.');
  },
};
