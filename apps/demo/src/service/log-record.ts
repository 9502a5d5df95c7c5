/** A line of the service's log: its level, its message, and further fields. */
export type LogRecord = Readonly<Record<string, unknown>> & {
  readonly level: string;
  readonly msg: string;
};

/** Null for a line that is not a log record. */
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
