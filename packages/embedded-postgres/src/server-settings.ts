/** The network address of a server that listens not only on its socket. */
export interface ServerNetwork {
  /** An IP address or host name of this machine. */
  readonly host: string;
  readonly port: number;
  /** The owner's password for network connections, which is set when the database is created. */
  readonly password: string;
}

/**
 * The maximum number of connections. Several processes share a server on the network; otherwise only one process uses
 * the server.
 */
const CONNECTIONS = { alone: 50, shared: 200 };

export function serverSettings(socketFolder: string, network?: ServerNetwork): string {
  const settings = {
    listen_addresses: network?.host ?? '',
    // The setting is a list of folders. The quotes keep a comma in the path from separating two folders.
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    port: String(network?.port ?? 5432),
    max_connections: String(network === undefined ? CONNECTIONS.alone : CONNECTIONS.shared),
    shared_buffers: '128MB',
    // Parallel plans are turned off, because inference needs the cores, and containers have little shared memory.
    max_parallel_workers_per_gather: '0',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    // Only starts, shutdowns and failures of the server are logged. The process that sent a failed statement logs it.
    // In this log, failed statements would fill the disk and contain names of people.
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
