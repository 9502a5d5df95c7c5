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

test('levels below the chosen one are left out', () => {
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

test.each([
  [{ headers: { authorization: 'SECRET' } }],
  [{ headers: { 'x-api-key': 'SECRET' } }],
  [{ request: { headers: { cookie: 'SECRET' } } }],
  [{ err: { response: { headers: { 'set-cookie': 'SECRET' } } } }],
  [{ body: { image_url: 'https://example.com/?token=SECRET' } }],
  [{ image_base64: 'SECRET' }],
  [{ user: { password: 'SECRET' } }],
])('what is secret in %j is not logged', (fields) => {
  logger().info(fields, 'request');
  expect(lines[0]).toContain('[redacted]');
  expect(lines[0]).not.toContain('SECRET');
});
