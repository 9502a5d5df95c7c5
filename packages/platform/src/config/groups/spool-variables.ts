import { size, variable } from '../variable.ts';

/** What API and worker read about what they keep in temporary files. */
export const SPOOL_VARIABLES = {
  spoolMax: variable({
    name: 'SIGHTLINE_SPOOL_MAX',
    description:
      'Bytes of all batches that a process keeps in temporary files until they are done; one environment may hold half of it, or of what the disk has free, and one key a third; more is refused with 429. Archives have such shares of what the disk has free. A full disk is answered with 503',
    default: '8GiB',
    schema: size(),
  }),
};
