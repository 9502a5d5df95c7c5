import { parseArgs } from 'node:util';
import { buildConsole } from '@sightline/console/build/build-console';
import { startStandalone } from '../../support/services/running-standalone.ts';
import { untilHealthSays } from '../../support/services/until-health-says.ts';
import { createCurator } from '../support/curator.ts';
import { seedLibrary } from './seed-library.ts';
import { takeScreenshots } from './take-screenshots.ts';

const { values } = parseArgs({
  options: {
    /** A folder of photos that are also stored. The pictures of the README are not written then. */
    photos: { type: 'string' },
    /** A part of the addresses that are opened; default: all. */
    only: { type: 'string', default: '' },
  },
});

await using service = await startStandalone({
  SIGHTLINE_MODELS_DIR: '',
  SIGHTLINE_STARTER: 'auto',
  SIGHTLINE_CONSOLE_DIR: await buildConsole({ isChecked: true }),
});
await untilHealthSays(service, 'ok');
const curator = await createCurator(service, '--admin');
console.error('Storing the photos ...');
const subjects = await seedLibrary(curator.client, values.photos ?? null);
const faults = await takeScreenshots({
  url: service.url,
  curator,
  subjects,
  only: values.only,
  forDocs: values.photos === undefined && values.only === '',
});
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
