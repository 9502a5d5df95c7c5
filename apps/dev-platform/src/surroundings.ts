import { resolve } from 'node:path';

/** Where the project stands. */
export const ROOT = resolve(import.meta.dirname, '../../..');

/** Variables of a process by their names. */
export type Environment = Readonly<Record<string, string | undefined>>;
