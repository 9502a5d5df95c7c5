import { type DestinationStream, type Logger as PinoLogger, pino, stdTimeFunctions } from 'pino';
import { errorFields } from './error-fields.ts';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The methods of a logger: `logger.info({ fields }, 'sentence')`. */
export type Logger = Pick<PinoLogger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'>;

/**
 * Headers and fields that carry secrets or pictures. The code logs none of them. The list hides them if a whole
 * request, or an error of a library that contains one, is logged by mistake.
 */
const SECRET_KEYS = [
  'authorization',
  'cookie',
  '["set-cookie"]',
  '["x-api-key"]',
  'password',
  'secret',
  'image_base64',
  'image_url',
];

export interface LoggerOptions {
  readonly level: LogLevel;
  /** The destination of lines; the standard output, as JSON, if absent. */
  readonly destination?: DestinationStream;
}

/** The standard output: lines of JSON, or readable ones if it is a terminal. */
export async function standardOutput(): Promise<DestinationStream> {
  if (!process.stdout.isTTY) return jsonOutput();
  const { PinoPretty } = await import('pino-pretty');
  return PinoPretty({ translateTime: 'HH:MM:ss', singleLine: true, sync: true });
}

function jsonOutput(): DestinationStream {
  return pino.destination({ dest: 1, sync: true });
}

/** One JSON object per line, with ISO times and level names instead of numbers. */
export function createLogger({ level, destination = jsonOutput() }: LoggerOptions): Logger {
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    serializers: { err: errorFields },
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: SECRET_KEYS.flatMap(atAnyDepth), censor: '[redacted]' },
  };
  return pino(options, destination);
}

/** The paths of a key at every depth at which logged objects hold headers: a path of pino cannot match any depth. */
function atAnyDepth(key: string): string[] {
  const member = key.startsWith('[') ? key : `.${key}`;
  return [key, `*${member}`, `*.*${member}`, `*.*.*${member}`];
}
