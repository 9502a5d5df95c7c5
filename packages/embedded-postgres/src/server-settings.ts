/** The network address of a server, besides its socket. */
export interface ServerNetwork {
  /** An address of this machine. */
  readonly host: string;
  readonly port: number;
  /** Password of the owner for network connections; set when the database is created. */
  readonly password: string;
}

/** A server on the network is shared by several processes; otherwise only one process uses it. */
const CONNECTIONS = { alone: 50, shared: 200 };

/** The contents of postgresql.conf. */
export function serverSettings(socketFolder: string, network?: ServerNetwork): string {
  const settings = {
    listen_addresses: network?.host ?? '',
    // The setting is a list of folders; the quotes keep a comma in the path from separating
    // entries.
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    port: String(network?.port ?? 5432),
    max_connections: String(network === undefined ? CONNECTIONS.alone : CONNECTIONS.shared),
    shared_buffers: '128MB',
    // Inference needs the cores, and containers have little shared memory for parallel plans.
    max_parallel_workers_per_gather: '0',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    // Starts, shutdowns and failures. Failed statements are logged by the process that sent them;
    // here they would fill the disk and write personal names into a log.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    log_line_prefix: '%m ',
  };
  const lines = Object.entries(settings).map(
    ([name, value]) => `${name} = '${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`,
  );
  return [
    '# Sightline overwrites this file at each start. Use ALTER SYSTEM for your own settings.',
    ...lines,
    '',
  ].join('\n');
}
