/** The message of the index commands if the database lists no index. */
export const NO_INDEX =
  'No process maintains an index; each process builds its own index when it starts.';
