import { z } from 'zod';

/** An id of the installation that wrote the archive. It does nothing but link records of the archive. */
export const archivedId = z.int().min(1);
