import { beforeEach, expect, test } from '@jest/globals';
import { createLogger, type LogLevel } from './logger.ts';

let lines: string[];

beforeEach(() => {
  lines = [];
});

function logger(level: LogLevel = 'info'): ReturnType<typeof createLogger> {
  return createLogger({ level, destination: { write: (line) => void lines.push(line) } });
}

test('a line is one JSON object with the name of its level and a time in UTC', () => {
  logger().warn({ pack: 'insightface' }, 'not usable');
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0]!)).toEqual({
    level: 'warn',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    pack: 'insightface',
    msg: 'not usable',
  });
});

test('levels below the configured level are not logged', () => {
  logger('warn').info('quiet');
  logger('silent').fatal('quiet');
  expect(lines).toEqual([]);
});

test('an error keeps its stack and its cause', () => {
  logger().error({ err: new Error('outer', { cause: new Error('inner') }) }, 'failed');
  const { err } = JSON.parse(lines[0]!) as { err: { stack: string } };
  expect(err.stack).toContain('logger.test.ts');
  expect(err.stack).toContain('inner');
});

test('an error of the database is logged without values of rows, also as a cause', () => {
  const failed = Object.assign(
    new Error('duplicate key value violates unique constraint "label"'),
    {
      code: '23505',
      severity: 'ERROR',
      table: 'identities',
      constraint: 'label',
      detail: 'Key (label)=(SECRET) already exists.',
      where: 'unnamed portal parameter $1 = SECRET',
      hint: 'SECRET',
      internalQuery: 'SELECT SECRET',
      parameters: ['SECRET'],
      query: 'SELECT SECRET',
      params: ['SECRET'],
    },
  );
  const outer = new AggregateError([failed], 'outer', { cause: failed });
  logger().error({ err: failed }, 'failed');
  logger().error({ err: outer }, 'failed');
  logger().error(failed);
  expect(lines).toHaveLength(3);
  for (const line of lines) {
    expect(line).not.toContain('SECRET');
    expect(line).toContain('violates unique constraint');
  }
  expect(JSON.parse(lines[0]!)).toMatchObject({
    err: {
      type: 'Error',
      code: '23505',
      severity: 'ERROR',
      table: 'identities',
      constraint: 'label',
    },
  });
});

test.each([
  [{ headers: { authorization: 'SECRET' } }],
  [{ headers: { 'x-api-key': 'SECRET' } }],
  [{ request: { headers: { cookie: 'SECRET' } } }],
  [{ err: { response: { headers: { 'set-cookie': 'SECRET' } } } }],
  [{ body: { image_url: 'https://example.com/?token=SECRET' } }],
  [{ image_base64: 'SECRET' }],
  [{ user: { password: 'SECRET' } }],
])('the secret in %j is not logged', (fields) => {
  logger().info(fields, 'request');
  expect(lines[0]).toContain('[redacted]');
  expect(lines[0]).not.toContain('SECRET');
});
