import { z } from 'zod';

/** An id of the installation that wrote the archive: it links records of the archive, and means nothing else. */
export const archivedId = z.int().min(1);
