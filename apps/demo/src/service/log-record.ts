export type LogRecord = Readonly<Record<string, unknown>> & {
  readonly level: string;
  readonly msg: string;
};

/** Returns null if the line is not a log record. */
export function parseLogRecord(line: string): LogRecord | null {
  try {
    const record = JSON.parse(line) as Partial<LogRecord> | null;
    return typeof record?.msg === 'string' && typeof record.level === 'string'
      ? (record as LogRecord)
      : null;
  } catch {
    return null;
  }
}
