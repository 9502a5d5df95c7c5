/** Where a server listens beside its socket, and for how many. */
export interface ServerNetwork {
  /** An address of this machine. */
  readonly host: string;
  readonly port: number;
  /** Of the owner, for connections that do not come by the socket; set when the database is made. */
  readonly password: string;
}

/** Several processes share a server that listens; otherwise it is that of one. */
const CONNECTIONS = { alone: 50, shared: 200 };

/** What the server runs with; see `writeSettings`. */
export function serverSettings(socketFolder: string, network?: ServerNetwork): string {
  const settings = {
    listen_addresses: network?.host ?? '',
    // A list of folders: the quotes keep a comma in the path from ending an entry.
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    port: String(network?.port ?? 5432),
    max_connections: String(network === undefined ? CONNECTIONS.alone : CONNECTIONS.shared),
    shared_buffers: '128MB',
    // The cores are the inference's, and containers have little shared memory for parallel plans.
    max_parallel_workers_per_gather: '0',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    // Starts, ends and what breaks. Failed statements are logged by the process that sent them; here
    // they would fill the disk, and write names of people into a log.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    log_line_prefix: '%m ',
  };
  const lines = Object.entries(settings).map(
    ([name, value]) => `${name} = '${value.replaceAll("'", "''")}'`,
  );
  return [
    '# Sightline writes this file at each start. ALTER SYSTEM keeps settings of your own.',
    ...lines,
    '',
  ].join('\n');
}
