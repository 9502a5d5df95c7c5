import { size, variable } from '../variable.ts';

export const SPOOL_VARIABLES = {
  spoolMax: variable({
    name: 'SIGHTLINE_SPOOL_MAX',
    description:
      "Maximum bytes of all batches that a process keeps in temporary files; one environment may use half of this size or of the disk's free space, and one key a third; further batches are refused with 429. Archives have the same shares of the free space. If the disk is full, requests fail with 503",
    default: '8GiB',
    schema: size(),
  }),
  tmpMax: variable({
    name: 'SIGHTLINE_TMP_MAX',
    description:
      'Size of the folder for temporary files, if it is smaller than its disk, such as a volume of Kubernetes with a limit; batches and archives are refused before they exceed it. unset: the free space of the disk',
    default: null,
    schema: size().nullable(),
  }),
};
