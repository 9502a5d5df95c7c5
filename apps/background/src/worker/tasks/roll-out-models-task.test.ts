import { expect, test } from '@jest/globals';
import { FACE_MODEL } from '@sightline/core/models/testing/sample-models';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import { createLogger } from '@sightline/platform/logging/logger';
import { rollOutModelsTask } from './roll-out-models-task.ts';

test('a switch is logged also where the poll could not go on after it', async () => {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const logger = createLogger({ level: 'info', destination: { write } });
  const failure = new StoreUnavailable('Kubernetes does not answer.');
  const poll = () => Promise.resolve({ activated: [FACE_MODEL], rolledBack: null, failure });
  const task = rollOutModelsTask({ poll }, logger);
  await expect(task.run(new AbortController().signal)).rejects.toBe(failure);
  expect(lines.join('')).toContain('a new model was activated');
});
