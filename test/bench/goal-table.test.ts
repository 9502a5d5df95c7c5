import { expect, test } from '@jest/globals';
import { goalTable } from './goal-table.ts';

const MODELS = ['one', 'two'];

test('figures that miss their goals are in bold', () => {
  const table = goalTable('', {
    models: MODELS,
    goals: [
      ['throughput', 'at least 0.95', '0.949', '0.95'],
      ['latency', 'at most 5 ms', '5.1 ms'],
      ['Python', 'at least 0.9', 'not measured', '1.2'],
    ],
  });
  expect(table.split('\n').slice(2)).toEqual([
    '| throughput | at least 0.95 | **0.949** | 0.95 |',
    '| latency | at most 5 ms | **5.1 ms** |  |',
    '| Python | at least 0.9 | not measured | 1.2 |',
  ]);
});

test('a run replaces the rows of its measures, and keeps the others', () => {
  const before = `Text.

|   |   |
| - | - |
| processor | some |

| measure    | goal          | one       | two  |
| ---------- | ------------- | --------- | ---- |
| throughput | at least 0.95 | **0.949** | 0.95 |
| latency    | at most 5 ms  | 4.0 ms    |      |

More text.`;
  const goals = [
    ['latency', 'at most 5 ms', '6.0 ms'],
    ['lag', 'at most 10 ms', '7 ms'],
  ];
  const table = goalTable(before, { models: MODELS, goals });
  expect(table.split('\n').slice(2)).toEqual([
    '| throughput | at least 0.95 | **0.949** | 0.95 |',
    '| latency | at most 5 ms | **6.0 ms** |  |',
    '| lag | at most 10 ms | 7 ms |  |',
  ]);
});
