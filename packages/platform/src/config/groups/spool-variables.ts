import { size, variable } from '../variable.ts';

/** What the API reads about the batches that it keeps on disk. */
export const SPOOL_VARIABLES = {
  spoolMax: variable({
    name: 'SIGHTLINE_SPOOL_MAX',
    description:
      'Bytes of all batches that the API keeps in temporary files until they are answered; one environment may hold half of it, and one key a third; more is refused with 429. A full disk is answered with 503',
    default: '8GiB',
    schema: size(),
  }),
};
