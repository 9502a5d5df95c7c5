import { resolve } from 'node:path';

/** The root folder of the project. */
export const ROOT = resolve(import.meta.dirname, '../../..');
