import { join } from 'node:path';
import { EmbeddedPostgres } from '@sightline/embedded-postgres/embedded-postgres';
import { createLogger } from '@sightline/platform/logging/logger';
import { openPostgres } from '@sightline/postgres/open-postgres';

export interface CheckFigures {
  readonly seconds: number;
  /** The growth of the resident memory of the checking process. */
  readonly memoryMegabytes: number;
  readonly findings: readonly string[];
}

/**
 * Compares all rows with each other, as `sightline check` does while a service runs. It leaves out files,
 * because planted rows have none.
 */
export async function measureCheck(data: string): Promise<CheckFigures> {
  await using server = await EmbeddedPostgres.attach({ folder: join(data, 'postgres') });
  await using stores = openPostgres(server.connection, {
    logger: createLogger({ level: 'warn' }),
    reader: { kind: 'own', name: 'check' },
  });
  const before = process.memoryUsage().rss;
  const start = performance.now();
  const findings = await stores.maintenance.contradictions();
  return {
    seconds: (performance.now() - start) / 1000,
    memoryMegabytes: (process.memoryUsage().rss - before) / 1e6,
    findings,
  };
}
