/** The body of an answer about job 77, which the service does not have. */
export const madeJob = (type: string, changed: object) => ({
  id: 77,
  type,
  status: 'running',
  total: 4_000_000,
  unit: 'bytes',
  done: 1_000_000,
  failed: 0,
  error: null,
  results_url: null,
  operation_id: null,
  created_at: '2026-11-29T10:00:00.000Z',
  finished_at: null,
  ...changed,
});
