import { z } from 'zod';

/** An id in the installation that wrote the archive. It only links records of the archive. */
export const archivedId = z.int().min(1);
