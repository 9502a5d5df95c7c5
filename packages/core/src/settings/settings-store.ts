/** Values by key; keys that are not there have their defaults. */
export interface SettingsReader {
  /** Those of the environment and of the installation. */
  all(): Promise<ReadonlyMap<string, unknown>>;
}

/** Settings of the environment. */
export interface SettingsWriter {
  /** Null goes back to the default. */
  put(key: string, value: unknown): Promise<void>;
}

/** Settings of the installation. */
export interface SystemSettings {
  /** Null goes back to the default. */
  put(key: string, value: unknown, signal?: AbortSignal): Promise<void>;
}
