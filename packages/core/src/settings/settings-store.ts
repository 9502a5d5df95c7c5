/** Values by key; absent keys have their defaults. */
export interface SettingsReader {
  /** The values of the environment and of the installation. */
  all(): Promise<ReadonlyMap<string, unknown>>;
}

/** Settings of the environment. */
export interface SettingsWriter {
  /** Null restores the default. */
  put(key: string, value: unknown): Promise<void>;
}

/** Settings of the installation. */
export interface SystemSettings {
  /** The settings of the installation alone. Throws StoreUnavailable. */
  all(signal?: AbortSignal): Promise<ReadonlyMap<string, unknown>>;
  /** Null restores the default. */
  put(key: string, value: unknown, signal?: AbortSignal): Promise<void>;
}
