/** What the index commands say if no reader is registered. */
export const NO_INDEX =
  'No process maintains an index; each process fills its index when it starts.';
