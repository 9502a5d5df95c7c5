import { expect, test } from '@jest/globals';
import type { Logger } from '@sightline/platform/logging/logger';
import { logDownloads } from './log-downloads.ts';

const FILE = {
  name: 'model.onnx',
  sha256: 'f'.repeat(64),
  bytes: 1000,
  sources: [{ url: 'https://user:secret@models.test/model.onnx' }],
} as const;
const DOWNLOAD = { file: FILE, source: 'models.test' };

test('a download is told of when it begins, every two seconds, and at its end', () => {
  const lines: unknown[] = [];
  const info = (fields: object, message: string) => void lines.push([message, fields]);
  let time = 5_000;
  const observer = logDownloads({ info } as Logger, () => time);
  observer.started(DOWNLOAD);
  for (const received of [100, 200, 300, 400, 500]) {
    time += 900;
    observer.progressed(DOWNLOAD, received);
  }
  observer.finished(DOWNLOAD);
  observer.failed(DOWNLOAD, 'answered with status 503');
  const fields = { file: 'model.onnx', from: 'models.test', bytes: 1000 };
  expect(lines).toEqual([
    ['fetching a model file', fields],
    ['still fetching a model file', { ...fields, received: 300 }],
    ['fetched a model file', { ...fields, milliseconds: 4_500 }],
    ['could not fetch a model file there', { ...fields, reason: 'answered with status 503' }],
  ]);
});
