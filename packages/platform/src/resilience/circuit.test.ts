import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type CircuitEvent, type CircuitState, nextState, passesRequests } from './circuit.ts';

const EVENTS: readonly CircuitEvent[] = [
  'request-answered',
  'requests-failed',
  'ping-sent',
  'ping-answered',
  'ping-failed',
  'ping-inconclusive',
];

function run(start: CircuitState, ...events: CircuitEvent[]): CircuitState {
  return events.reduce(nextState, start);
}

describe('circuit', () => {
  test('an open circuit closes only after the answer to a ping that was sent after it opened', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...EVENTS)), (events) => {
        let [state, sent]: [CircuitState, boolean] = ['open', false];
        for (const event of events) {
          state = nextState(state, event);
          if (passesRequests(state)) {
            expect([event, sent]).toEqual(['ping-answered', true]);
            return;
          }
          if (event === 'ping-sent') sent = true;
          else if (event === 'ping-failed' || event === 'ping-inconclusive') sent = false;
        }
      }),
    );
  });

  test('only a second inconclusive ping opens the circuit', () => {
    expect(run('closed', 'ping-inconclusive')).toBe('suspect');
    expect(run('closed', 'ping-inconclusive', 'ping-inconclusive')).toBe('open');
  });

  test.each(['request-answered', 'ping-answered'] as const)(
    '%s leads from suspect back to closed',
    (event) => {
      expect(run('suspect', event)).toBe('closed');
    },
  );

  test.each([
    ['closed', 'ping-failed'],
    ['closed', 'requests-failed'],
    ['suspect', 'ping-failed'],
    ['suspect', 'requests-failed'],
    ['half-open', 'ping-failed'],
    ['half-open', 'ping-inconclusive'],
  ] as const)('%s opens on %s', (state, event) => {
    expect(nextState(state, event)).toBe('open');
  });
});
