/** A process of the service that has connections to the database. */
export interface ConnectedProcess {
  /** `service` is one process with all roles, such as that of `make start`. */
  readonly role: 'service' | 'api' | 'worker' | 'projector' | 'dispatcher' | 'relay';
  /** A random id of the process; null for one of a release that has none. */
  readonly id: string | null;
  readonly version: string | null;
  /** The address from which it is connected; null for a local socket. */
  readonly address: string | null;
  readonly connections: number;
  /** When the oldest of its connections began; null if unknown. */
  readonly connectedAt: Date | null;
  /** How long ago it last began or ended a statement, in seconds; null if unknown. */
  readonly idleSeconds: number | null;
}

export interface StorageState {
  /** The total size of the stored images, of crops, and of their renditions, in all environments. */
  readonly storedBytes: number;
  /** The part of it that belongs to deleted records, which can still return. */
  readonly setAsideBytes: number;
  readonly databaseBytes: number;
}

/** Reads the state of the installation for its administrators. All methods throw StoreUnavailable. */
export interface SystemState {
  /** The processes of the service, sorted by role. Those of commands and migrations are not included. */
  processes(signal?: AbortSignal): Promise<readonly ConnectedProcess[]>;
  storage(signal?: AbortSignal): Promise<StorageState>;
}
