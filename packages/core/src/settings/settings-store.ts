import type { Actor } from '../store/actor.ts';

export interface SettingsReader {
  /** Returns the stored values of the environment and of the installation, by key. A setting without a value is absent. */
  all(): Promise<ReadonlyMap<string, unknown>>;
  /** Returns who changed the settings with a stored value, by key. */
  changes(): Promise<ReadonlyMap<string, SettingChange>>;
}

/** The last change of a setting. */
export interface SettingChange {
  readonly at: Date;
  /** Null for a key, a command, and changes of earlier releases. */
  readonly accountId: string | null;
  readonly keyId: number | null;
}

/** Writes settings of an environment. */
export interface SettingsWriter {
  /** Null restores the default. */
  put(key: string, value: unknown): Promise<void>;
}

/** The settings of the installation. All methods throw StoreUnavailable. */
export interface SystemSettings {
  /** Returns the stored values of the installation, by key. A setting without a value is absent. */
  all(signal?: AbortSignal): Promise<ReadonlyMap<string, unknown>>;
  /** Returns who changed the settings with a stored value, by key. */
  changes(signal?: AbortSignal): Promise<ReadonlyMap<string, SettingChange>>;
  /** Null restores the default. */
  put(
    key: string,
    value: unknown,
    options?: { readonly actor?: Actor | undefined; readonly signal?: AbortSignal | undefined },
  ): Promise<void>;
}
