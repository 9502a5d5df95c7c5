import { z } from 'zod';
import { variable } from '../variable.ts';

export const CONSOLE_VARIABLES = {
  consoleDir: variable({
    name: 'SIGHTLINE_CONSOLE_DIR',
    description:
      'Folder of the built console, which the API serves under /console/; off: none. `make start`, `make up` and images set it',
    default: 'off',
    schema: z.string().transform((folder) => (folder === 'off' ? null : folder)),
  }),
};
