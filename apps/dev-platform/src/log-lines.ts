/** The ANSI codes of colors that are readable on light and dark backgrounds. */
const COLORS = [36, 33, 32, 35, 34, 31, 96, 93, 92, 95];
const RED = 31;
const NOT_SHOWN = new Set(['level', 'time', 'msg']);

export interface LogLinesOptions {
  readonly colors: boolean;
  readonly write: (line: string) => void;
}

/** Merges the logs of several processes into readable lines with the process's name, the time and the message. */
export class LogLines {
  readonly #options: LogLinesOptions;
  readonly #names: string[] = [];
  #width = 0;

  constructor(options: LogLinesOptions) {
    this.#options = options;
  }

  line(name: string, line: string): void {
    if (line.trim() === '') return;
    const record = parse(line);
    this.#write(name, record === null ? line : shown(record), record?.level);
  }

  event(name: string, event: string): void {
    this.#write(name, `!! ${event}`, 'error');
  }

  #write(name: string, text: string, level: unknown): void {
    if (!this.#names.includes(name)) this.#names.push(name);
    this.#width = Math.max(this.#width, name.length);
    const prefix = name.padEnd(this.#width);
    const { colors, write } = this.#options;
    if (!colors) {
      write(`${prefix} | ${text}`);
      return;
    }
    const color = COLORS[this.#names.indexOf(name) % COLORS.length]!;
    const isBad = level === 'error' || level === 'fatal';
    write(`${painted(color, `${prefix} |`)} ${isBad ? painted(RED, text) : text}`);
  }
}

type LogRecord = Readonly<Record<string, unknown>>;

function parse(line: string): LogRecord | null {
  if (!line.startsWith('{')) return null;
  try {
    return JSON.parse(line) as LogRecord;
  } catch {
    return null;
  }
}

function shown(record: LogRecord): string {
  const { level, time, msg } = record;
  const clock = typeof time === 'string' ? time.slice(11, 19) : '';
  const mark = level === 'info' || level === 'debug' ? '' : String(level).toUpperCase();
  const fields = Object.entries(record)
    .filter(([name]) => !NOT_SHOWN.has(name))
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  return [clock, mark, typeof msg === 'string' ? msg : '', ...fields]
    .filter((part) => part !== '')
    .join(' ');
}

function painted(color: number, text: string): string {
  return `\u001b[${color}m${text}\u001b[0m`;
}
