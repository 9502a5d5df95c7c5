import { z } from 'zod';
import { variable } from '../variable.ts';

/** What processes read that keep data themselves. */
export const DATA_VARIABLES = {
  data: variable({
    name: 'SIGHTLINE_DATA',
    description: 'Data folder: the embedded database, image files and the first API key',
    default: './data',
    schema: z.string(),
  }),
};
