import type { ParseArgsOptionsConfig } from 'node:util';
import type { StoreSettings } from '@sightline/composition/store-settings';

/** A value of an option: text, a switch, or nothing. */
export type OptionValue = string | boolean | undefined;

/** A command of `sightline`, as its help shows it. */
export interface CommandEntry {
  /** The words after `sightline`, as in `key create`. */
  readonly name: string;
  /** The arguments after the name. */
  readonly usage: string;
  /** One line. */
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

/** The arguments of a command, and its action. */
export interface Command {
  readonly options: ParseArgsOptionsConfig;
  /** Names of the words that have to follow, in order. */
  readonly operands: readonly string[];
  /** @throws StartError with a sentence for the person at the terminal */
  run(input: CommandInput): Promise<void>;
}

export interface CommandInput {
  readonly options: Readonly<Record<string, OptionValue>>;
  readonly operands: readonly string[];
  /** Path of the data folder (`SIGHTLINE_DATA`). */
  readonly data: string;
  /**
   * The external stores that the configuration names.
   *
   * @throws StartError if the settings of one are incomplete
   */
  readonly stores: () => StoreSettings;
  /**
   * The address of the database for its owner; null if it is not set.
   *
   * @throws StartError if it is set twice, or if its file cannot be read
   */
  readonly databaseOwner: () => string | null;
  /** Seconds for which a command waits for a service that does not answer yet, if it waits. */
  readonly startTimeout: number;
  /** The version of Sightline. */
  readonly version: string;
  /** Prints a line of the result to stdout, for people and pipes. */
  readonly print: (line: string) => void;
  /** Prints any other line to stderr. */
  readonly note: (line: string) => void;
  readonly signal: AbortSignal;
}
