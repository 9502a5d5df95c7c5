import type { Actor } from '../store/actor.ts';

export interface SettingsReader {
  /** Returns the stored values of the environment and of the installation, by key. A setting without a value is absent. */
  all(): Promise<ReadonlyMap<string, unknown>>;
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
  /** Null restores the default. */
  put(
    key: string,
    value: unknown,
    options?: { readonly actor?: Actor | undefined; readonly signal?: AbortSignal | undefined },
  ): Promise<void>;
}
