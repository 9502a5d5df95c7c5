import { expect, test } from '@jest/globals';
import { LogLines } from './log-lines.ts';

function logOf(colors: boolean): { readonly log: LogLines; readonly lines: string[] } {
  const lines: string[] = [];
  return { log: new LogLines({ colors, write: (line) => lines.push(line) }), lines };
}

const record = (fields: object) =>
  JSON.stringify({ level: 'info', time: '2026-01-02T03:04:05.678Z', ...fields });

test('every line has its process, time and message', () => {
  const { log, lines } = logOf(false);
  log.line('database', 'LOG: ready');
  log.line('api-1', record({ msg: 'the API listens', url: 'http://a', checks: { media: true } }));
  log.line('api-1', record({ level: 'warn', msg: 'slow' }));
  log.event('api-1', 'ended with SIGKILL');
  expect(lines).toEqual([
    'database | LOG: ready',
    'api-1    | 03:04:05 the API listens url=http://a checks={"media":true}',
    'api-1    | 03:04:05 WARN slow',
    'api-1    | !! ended with SIGKILL',
  ]);
});

test('empty lines are dropped, and a line that is not a valid record is shown unchanged', () => {
  const { log, lines } = logOf(false);
  log.line('api-1', '  ');
  log.line('inference-1', '{ no record');
  expect(lines).toEqual(['inference-1 | { no record']);
});

test('each process has a color, and errors are red', () => {
  const { log, lines } = logOf(true);
  log.line('a', 'x');
  log.line('b', record({ level: 'error', msg: 'broken' }));
  log.line('a', 'y');
  expect(lines).toEqual([
    '\u001b[36ma |\u001b[0m x',
    '\u001b[33mb |\u001b[0m \u001b[31m03:04:05 ERROR broken\u001b[0m',
    '\u001b[36ma |\u001b[0m y',
  ]);
});
