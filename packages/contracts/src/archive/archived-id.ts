import { z } from 'zod';

/** An id from the installation that wrote the archive. The id only links records within the archive. */
export const archivedId = z.int().min(1);
