import type {
  ConnectedProcess,
  StorageState,
  SystemState,
} from '@sightline/core/installation/system-state';
import type { Doors } from '../../doors/doors.ts';

/**
 * The processes, from the names that `nameProcess` makes. The server shows the times and addresses of this role's
 * connections only, and each process has one of them.
 */
const PROCESSES = `
  SELECT coalesce(p.name[1], 'service') AS role, p.name[2] AS id, p.name[3] AS version,
    min(host(a.client_addr)) AS address, count(*) AS connections, min(a.backend_start) AS "connectedAt",
    extract(epoch FROM clock_timestamp() - max(a.state_change))::float8 AS "idleSeconds"
  FROM pg_stat_activity a
  CROSS JOIN LATERAL (
    SELECT regexp_match(a.application_name,
      '^sightline(?: (api|worker|projector|dispatcher|relay))?(?: #([0-9a-f]+))?(?: v(\\S+))?( |$)') AS name) AS p
  WHERE a.datname = current_database() AND p.name IS NOT NULL
    AND a.application_name !~ '^sightline (command|migrate|start)( |$)'
  GROUP BY 1, 2, 3, CASE WHEN p.name[2] IS NULL THEN a.client_addr END
  ORDER BY 1, "connectedAt", 2`;

/** Each environment takes a lookup of three counters. */
const STORAGE = `
  SELECT coalesce(sum(counted.stored), 0)::bigint AS "storedBytes",
    coalesce(sum(counted.aside), 0)::bigint AS "setAsideBytes",
    pg_database_size(current_database()) AS "databaseBytes"
  FROM environments e
  CROSS JOIN LATERAL (
    SELECT sum(delta) FILTER (WHERE counter <> 'set_aside_bytes') AS stored,
      sum(delta) FILTER (WHERE counter = 'set_aside_bytes') AS aside
    FROM counter_deltas c
    WHERE c.environment_id = e.id AND c.subject_id = 0
      AND c.counter IN ('storage_bytes', 'rendition_bytes', 'set_aside_bytes')
  ) AS counted`;

export function systemState(doors: Doors): SystemState {
  return {
    processes: (signal) => query<ConnectedProcess>(PROCESSES, signal),
    async storage(signal) {
      const [state] = await query<StorageState>(STORAGE, signal);
      return state!;
    },
  };

  async function query<Row>(
    text: string,
    signal: AbortSignal | undefined,
  ): Promise<readonly Row[]> {
    return doors.onPlatform('installation', (session) => session.query<Row>(text), signal);
  }
}
