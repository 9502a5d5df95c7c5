import { randomUUID } from 'node:crypto';

/**
 * The name of a process in the activity view of the database, such as `sightline api #3fa9c1d2 v1.2.3`. The random number
 * tells processes apart that have the same address.
 */
export function nameProcess(applicationName: string, version: string): string {
  return `${applicationName} #${randomUUID().slice(0, 8)} v${version}`;
}
