import { size, variable } from '../variable.ts';

/** What API and worker read about what they keep in temporary files. */
export const SPOOL_VARIABLES = {
  spoolMax: variable({
    name: 'SIGHTLINE_SPOOL_MAX',
    description:
      'Bytes of all batches and archives that a process keeps in temporary files until they are done; one environment may hold half of it, or of what the disk has free, and one key a third, and its jobs a third; more is refused with 429, and jobs wait. A full disk is answered with 503',
    default: '64GiB',
    schema: size(),
  }),
};
