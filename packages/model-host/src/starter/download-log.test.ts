import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { Logger } from '@sightline/platform/logging/logger';
import { DownloadLog } from './download-log.ts';

const FILE = {
  name: 'model.onnx',
  sha256: 'f'.repeat(64),
  bytes: 1000,
  sources: [{ url: 'https://user:secret@models.test/model.onnx' }],
} as const;
const DOWNLOAD = { file: FILE, source: 'models.test' };
const FIELDS = { file: 'model.onnx', from: 'models.test', bytes: 1000 };

let lines: unknown[];
let log: DownloadLog;

beforeEach(() => {
  jest.useFakeTimers();
  lines = [];
  const info = (fields: object, message: string) => void lines.push([message, fields]);
  log = new DownloadLog({ info } as Logger);
});

afterEach(() => {
  log[Symbol.dispose]();
  jest.useRealTimers();
});

test('a download is logged at its start, every five seconds, and at its end', () => {
  log.started(DOWNLOAD);
  for (const received of [100, 200, 300, 400, 500, 600, 700]) {
    jest.advanceTimersByTime(900);
    log.progressed(DOWNLOAD, received);
  }
  log.finished(DOWNLOAD);
  jest.advanceTimersByTime(60_000);
  expect(lines).toEqual([
    ['downloading a model file', FIELDS],
    ['still downloading a model file', { ...FIELDS, received: 500, seconds: 5 }],
    ['downloaded a model file', { ...FIELDS, milliseconds: 6_300 }],
  ]);
});

test('a source that sends no data is logged, too, until it times out', () => {
  log.started(DOWNLOAD);
  jest.advanceTimersByTime(11_000);
  log.failed(DOWNLOAD, 'sent no data for 11 s');
  log.started({ ...DOWNLOAD, source: 'pip' });
  jest.advanceTimersByTime(4_500);
  log[Symbol.dispose]();
  jest.advanceTimersByTime(60_000);
  expect(lines).toEqual([
    ['downloading a model file', FIELDS],
    ['still downloading a model file', { ...FIELDS, received: 0, seconds: 5 }],
    ['still downloading a model file', { ...FIELDS, received: 0, seconds: 10 }],
    [
      'could not download a model file from this source',
      { ...FIELDS, reason: 'sent no data for 11 s' },
    ],
    ['downloading a model file', { ...FIELDS, from: 'pip' }],
    ['still downloading a model file', { ...FIELDS, from: 'pip', received: 0, seconds: 4 }],
  ]);
});
