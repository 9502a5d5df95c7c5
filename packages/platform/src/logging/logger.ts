import { type DestinationStream, type Logger as PinoLogger, pino, stdTimeFunctions } from 'pino';
import { errorFields } from './error-fields.ts';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The methods of a logger, used as `logger.info({ fields }, 'sentence')`. */
export type Logger = Pick<PinoLogger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'>;

/**
 * The names of headers and fields that contain secrets or pictures. The logger hides their values, in case the code
 * logs a whole request or a library's error by mistake.
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
  /** The destination of log lines. Default: JSON lines on the standard output. */
  readonly destination?: DestinationStream;
}

/** Writes JSON lines to the standard output, or human-readable lines if the output is a terminal. */
export async function standardOutput(): Promise<DestinationStream> {
  if (!process.stdout.isTTY) return jsonOutput();
  const { PinoPretty } = await import('pino-pretty');
  return PinoPretty({ translateTime: 'HH:MM:ss', singleLine: true, sync: true });
}

function jsonOutput(): DestinationStream {
  return pino.destination({ dest: 1, sync: true });
}

/** Creates a logger that writes one JSON object per line, with ISO times and level names instead of numbers. */
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

/**
 * The paths of a key at depths of 0 to 3. A list is needed, because a pattern of pino cannot match arbitrary depths.
 */
function atAnyDepth(key: string): string[] {
  const member = key.startsWith('[') ? key : `.${key}`;
  return [key, `*${member}`, `*.*${member}`, `*.*.*${member}`];
}
