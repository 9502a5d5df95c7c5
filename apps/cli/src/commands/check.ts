import { checkConsistency } from '@sightline/core/maintenance/check-consistency';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import type { Command } from '../command.ts';
import { openInstallation } from '../open-installation.ts';

export const check: Command = {
  options: {
    deep: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
  operands: [],
  async run(input) {
    const { options, print, note, signal } = input;
    await using installation = await openInstallation(input);
    const { maintenance } = installation;
    using media = await installation.openMedia();
    const findings = await checkConsistency(
      { maintenance, media },
      { deep: options.deep === true, signal },
    );
    if (options.json === true) print(JSON.stringify(findings));
    else for (const finding of findings) print(finding);
    if (options.json === true) return;
    if (findings.length > 0) throw new StartError(`${findings.length} findings.`);
    note('Rows and files agree.');
  },
};
