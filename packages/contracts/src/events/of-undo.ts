import { z } from 'zod';

/** A member of the events of an undo; other events do not have it. */
export const ofUndo = {
  operation_id: z
    .int()
    .optional()
    .describe('The operation that the undo is; absent without an undo.'),
};
