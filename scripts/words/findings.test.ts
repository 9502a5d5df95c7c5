import { describe, expect, test } from '@jest/globals';
import { findings } from './findings.ts';

const faultsOf = (text: string) => findings({ text, isSentence: true });

describe('a text has no subject if it begins with', () => {
  test.each([
    'Of archives an environment has one at work.',
    'What it holds, its status says.',
    'Who cannot have the models is not ready.',
    'Those of the plan.',
    'Whoever probes waits by a clock.',
    'Somebody else was faster.',
    'Nobody reads it.',
    'Where the API listens.',
    'Where the API listens; null before the start.',
    'Where the files lie, and how many.',
    'Where a pod runs, a host and a port.',
  ])('%s', (text) => {
    expect(faultsOf(text)).toContainEqual(expect.stringMatching(/^begins with "/));
  });
});

describe('a house word is found in', () => {
  test.each([
    ['Another model was wished before.', 'wished'],
    ['The job begins anew.', 'anew'],
    ['How long a pod may be silent; after so long it is dropped.', 'so long'],
    ['Keeps it so long as it is read.', 'so long as'],
    ['Waits for whoever asks.', 'whoever'],
    ['No model can be had.', 'be had'],
    ['A last line without an end is not told.', 'is not told'],
    ['The process is told of others.', 'is told'],
    ['Mended by the next run.', 'Mended'],
    ['The pod fails for good.', 'for good'],
    ['The switch gave way.', 'gave way'],
    ['The happening is logged.', 'happening'],
    ['The trouble of the pod.', 'trouble'],
    ['Nudges the worker.', 'Nudges'],
    ['Its patience is over.', 'patience'],
    ['A vector of the coming model.', 'coming model'],
    ['Rows of the former face model.', 'former face model'],
    ['The items are held back.', 'held back'],
    ['The asker waits.', 'asker'],
    ['The process is of no use.', 'of no use'],
    ['The row was read a moment ago.', 'a moment ago'],
    ['The rows that have to do with faces.', 'have to do with'],
    ['Another controller has the last word.', 'has the last word'],
    ['Readers find no leaving identities.', 'leaving identities'],
    ['The others have theirs made.', 'have theirs made'],
  ])('%s', (text, word) => {
    expect(faultsOf(text)).toContainEqual(expect.stringContaining(`"${word}"`));
  });
});

test.each([
  "The lease's holder.",
  'Returns the rows in order.',
  'Seconds from a requested switch until the model serves.',
  'How long a pod stays valid while it does not respond, in ms.',
  'Where the store has no bucket, the migration creates one.',
  'Where a host has several pods, callers reach each of them by its address.',
  'What do clients see?',
  'The two cases cannot be told apart.',
  'The column `wish` holds `anew`.',
  'The lock is held; it goes back to the pool later.',
  'The TLS version that the server offered.',
  'Postgres does not run as root, but as the user nobody.',
  'what the work throws',
])('is plain: %s', (text) => {
  expect(faultsOf(text)).toEqual([]);
});

test('the first word of a fragment is not judged', () => {
  expect(findings({ text: 'What it is', isSentence: false })).toEqual([]);
});
