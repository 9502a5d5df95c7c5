import { basename } from 'node:path';
import type { LogRecord } from './log-record.ts';

export interface Progress {
  readonly text: string;
  /** Whether the message stays on the screen. If false, the next message replaces this message. */
  readonly lasting: boolean;
}

/**
 * Converts a record of the service's log to a message. Returns null unless the record is a warning, an error, or the
 * progress of a model's download or preparation.
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
