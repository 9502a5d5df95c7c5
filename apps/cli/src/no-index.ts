/** The message of the index commands if no reader is registered. */
export const NO_INDEX =
  'No process maintains an index; each process builds its own index when it starts.';
