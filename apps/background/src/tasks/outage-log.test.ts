import { beforeEach, expect, test } from '@jest/globals';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import { VectorsUnavailable } from '@sightline/core/vectors/vectors-unavailable';
import { createLogger } from '@sightline/platform/logging/logger';
import { OutageLog } from './outage-log.ts';

const WAITS = 'background tasks wait for an unavailable store or service';
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
const away = new StoreUnavailable('away', {}, { cause: refused });

test('an outage is said once for all tasks and runs, and its end once', () => {
  for (const task of ['fold', 'prune', 'jobs', 'fold', 'jobs']) log.failed(task, away);
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
  log.failed('fold', away);
  expect(said()).toEqual([WAITS, GOES_ON, WAITS]);
});

test('outages of several services are told apart', () => {
  log.failed('index', away);
  log.failed('index', new VectorsUnavailable('away'));
  expect(said()).toEqual([WAITS, GOES_ON, WAITS]);
  log.succeeded('index');
  expect(said()).toEqual([WAITS, GOES_ON, WAITS, GOES_ON]);
});

test('each defect is logged, and ends no outage of other tasks', () => {
  log.failed('fold', away);
  log.failed('jobs', away);
  log.failed('fold', new TypeError('x is undefined'));
  log.failed('fold', new TypeError('x is undefined'));
  expect(said()).toEqual([WAITS, FAILED, FAILED]);
  log.succeeded('jobs');
  expect(said()).toEqual([WAITS, FAILED, FAILED, GOES_ON]);
});
