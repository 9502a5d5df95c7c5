import type { ParseArgsOptionsConfig } from 'node:util';
import type { DatabaseSettings } from '@sightline/platform/config/read-database-settings';
import type { S3Settings } from '@sightline/platform/config/read-s3-settings';

/** A value of an option: text, a switch, or nothing. */
export type OptionValue = string | boolean | undefined;

/** One thing that `sightline` can do. */
export interface Command {
  /** The words after `sightline`, as in `key create`. */
  readonly name: string;
  /** What follows the name, as the help shows it. */
  readonly usage: string;
  /** One line. */
  readonly summary: string;
  readonly options: ParseArgsOptionsConfig;
  /** Names of the words that have to follow, in order. */
  readonly operands: readonly string[];
  /** @throws StartError with a sentence for the person at the terminal */
  run(input: CommandInput): Promise<void>;
}

export interface CommandInput {
  readonly options: Readonly<Record<string, OptionValue>>;
  readonly operands: readonly string[];
  /** The data folder (`SIGHTLINE_DATA`). */
  readonly data: string;
  /**
   * The database outside of the data folder, if there is one.
   *
   * @throws StartError if it is given by halves
   */
  readonly database: () => DatabaseSettings | null;
  /**
   * The S3 of the configuration, if there is one.
   *
   * @throws StartError if it is given by halves
   */
  readonly s3: () => S3Settings | null;
  /** Of the product. */
  readonly version: string;
  /** What the command answers, for people and pipes. */
  readonly print: (line: string) => void;
  /** What it has to say beside that. */
  readonly note: (line: string) => void;
  readonly signal: AbortSignal;
}
