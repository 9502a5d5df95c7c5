import { z } from 'zod';
import { size, variable } from '../variable.ts';

export const DATA_VARIABLES = {
  data: variable({
    name: 'SIGHTLINE_DATA',
    description: 'Data folder: the embedded database, image files and the first API key',
    default: './data',
    schema: z.string(),
  }),
  storageReserve: variable({
    name: 'SIGHTLINE_STORAGE_RESERVE',
    description:
      'Bytes to keep free on the disks of the data folder, such as 500000000, 512MiB or 2GB; with less free space the service refuses to store photos, but all other functions work; 0: no reserve',
    default: '256MB',
    schema: size(),
  }),
};
