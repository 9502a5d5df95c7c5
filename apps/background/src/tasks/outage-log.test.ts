import { beforeEach, expect, test } from '@jest/globals';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import { VectorsUnavailable } from '@sightline/core/vectors/vectors-unavailable';
import { createLogger } from '@sightline/platform/logging/logger';
import { OutageLog } from './outage-log.ts';

const WAITS = 'background tasks are waiting for an unavailable store or service';
const GOES_ON = 'background tasks continue after an outage';
const FAILED = 'a background task failed';

let log: OutageLog;
let records: { readonly msg: string; readonly task?: string; readonly cause?: string }[];
const said = () => records.map(({ msg }) => msg);

beforeEach(() => {
  records = [];
  const write = (line: string) => void records.push(JSON.parse(line) as (typeof records)[number]);
  log = new OutageLog(createLogger({ level: 'info', destination: { write } }));
});

const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
const outage = new StoreUnavailable('down', {}, { cause: refused });

test('an outage and its end are each logged once for all tasks and runs', () => {
  for (const task of ['fold', 'prune', 'jobs', 'fold', 'jobs']) log.failed(task, outage);
  expect(records).toMatchObject([
    { msg: WAITS, task: 'fold', cause: 'store_unavailable < ECONNREFUSED' },
  ]);
  log.succeeded('measure');
  log.succeeded('fold');
  log.succeeded('prune');
  expect(said()).toEqual([WAITS]);
  log.succeeded('jobs');
  log.succeeded('fold');
  expect(said()).toEqual([WAITS, GOES_ON]);
  log.failed('fold', outage);
  expect(said()).toEqual([WAITS, GOES_ON, WAITS]);
});

test('outages of several services are logged separately', () => {
  log.failed('index', outage);
  log.failed('index', new VectorsUnavailable('down'));
  expect(said()).toEqual([WAITS, GOES_ON, WAITS]);
  log.succeeded('index');
  expect(said()).toEqual([WAITS, GOES_ON, WAITS, GOES_ON]);
});

test('each defect is logged, and ends no outage of other tasks', () => {
  log.failed('fold', outage);
  log.failed('jobs', outage);
  log.failed('fold', new TypeError('x is undefined'));
  log.failed('fold', new TypeError('x is undefined'));
  expect(said()).toEqual([WAITS, FAILED, FAILED]);
  log.succeeded('jobs');
  expect(said()).toEqual([WAITS, FAILED, FAILED, GOES_ON]);
});
