import { basename } from 'node:path';
import type { LogRecord } from './log-record.ts';

/** A message for the user who waits for the start. */
export interface Progress {
  readonly text: string;
  /** Whether the message stays; the next message replaces it otherwise. */
  readonly lasting: boolean;
}

/**
 * The message for a record of the service's log: a model that is fetched or prepared, a warning or an
 * error. Null for other records.
 */
export function startProgress(record: LogRecord): Progress | null {
  const { level, msg, file, pack, received, bytes } = record;
  if (level === 'warn' || level === 'error') return { text: sentence(record), lasting: true };
  if (typeof file === 'string' && typeof received === 'number' && typeof bytes === 'number') {
    const percent = Math.min(100, Math.floor((received / bytes) * 100));
    return { text: `${basename(file)}: ${percent} % of ${megabytes(bytes)}`, lasting: false };
  }
  if (typeof file === 'string') {
    return { text: `${msg}: ${[file, size(bytes), origin(record)].join('')}`, lasting: true };
  }
  return typeof pack === 'string' ? { text: `${msg}: ${pack}`, lasting: true } : null;
}

function sentence({ msg, reason, folder }: LogRecord): string {
  return [msg, folder, reason].filter((part) => typeof part === 'string').join(': ');
}

function origin({ from, reason }: LogRecord): string {
  const source = typeof from === 'string' ? ` from ${from}` : '';
  return typeof reason === 'string' ? `${source}: ${reason}` : source;
}

function size(bytes: unknown): string {
  return typeof bytes === 'number' ? ` (${megabytes(bytes)})` : '';
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
