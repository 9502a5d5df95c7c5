import type { PoolOptions } from '@sightline/postgres/doors/open-pools';

/**
 * Time limits of transactions that only a test reaches that hangs, in ms: where twenty take turns on a
 * busy machine, the last one may wait longer than a caller should. What the service's own do has tests
 * of its own.
 */
export const PATIENT_LIMITS: Required<
  Pick<PoolOptions, 'statementTimeout' | 'lockTimeout' | 'idleTimeout' | 'transactionTimeout'>
> = {
  statementTimeout: 110_000,
  lockTimeout: 110_000,
  idleTimeout: 110_000,
  transactionTimeout: 110_000,
};
