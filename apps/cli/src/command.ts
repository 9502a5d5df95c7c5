import type { ParseArgsOptionsConfig } from 'node:util';
import type { StoreSettings } from '@sightline/composition/store-settings';
import type { Config } from '@sightline/platform/config/variable-groups';

export type OptionValue = string | boolean | undefined;

/** An entry of the list of commands, which `--help` prints. */
export interface CommandEntry {
  /** The words after `sightline`, such as `key create`. */
  readonly name: string;
  /** The arguments after the name, such as `URL PHOTO`. */
  readonly usage: string;
  /** One line for the help. */
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

export interface Command {
  readonly options: ParseArgsOptionsConfig;
  /** The names of the required positional arguments, in order. */
  readonly operands: readonly string[];
  /** @throws StartError with a sentence for the person at the terminal */
  run(input: CommandInput): Promise<void>;
}

export interface CommandInput {
  readonly options: Readonly<Record<string, OptionValue>>;
  readonly operands: readonly string[];
  /** The path of the data folder (`SIGHTLINE_DATA`). */
  readonly data: string;
  /**
   * The external stores that the configuration names.
   *
   * @throws StartError if the settings of a store are incomplete
   */
  readonly stores: () => StoreSettings;
  /**
   * The address of the database with the owner's login; null if the address is not set.
   *
   * @throws StartError if the address is set twice, or if the file with the address cannot be read
   */
  readonly databaseOwner: () => string | null;
  /** The settings of the keys for encrypting secrets. */
  readonly secretKey: Config<'secretKey'>;
  /** Seconds for which commands that need a running store wait for the store. */
  readonly startTimeout: number;
  readonly version: string;
  readonly print: (line: string) => void;
  /** Prints a line that is not part of the result, such as progress, to stderr. */
  readonly note: (line: string) => void;
  readonly signal: AbortSignal;
}
