import { expect, test } from '@jest/globals';
import { parseLogRecord } from './log-record.ts';

test('a line of the log', () => {
  const line = '{"level":"info","msg":"the API listens","url":"http://127.0.0.1:1"}';
  expect(parseLogRecord(line)).toMatchObject({ url: 'http://127.0.0.1:1' });
});

test.each(['', 'null', '[]', '7', '{"msg":"no level"}', '{"level":"info","msg":1}', '{"level'])(
  '%j is not a record',
  (line) => {
    expect(parseLogRecord(line)).toBeNull();
  },
);
