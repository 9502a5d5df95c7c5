/**
 * State of a circuit breaker around one service:
 *
 * - `closed`: requests pass.
 * - `suspect`: requests pass. The last ping failed, but the service may not be to blame; the next
 *   ping decides.
 * - `open`: requests fail without being sent.
 * - `half-open`: as `open`, while a ping is in flight whose answer closes the circuit.
 */
export type CircuitState = 'closed' | 'suspect' | 'open' | 'half-open';

/**
 * - `request-answered`: the service has answered a request; a refusal is an answer.
 * - `requests-failed`: too many requests in a row have failed.
 * - `ping-inconclusive`: a ping has failed, but the service may not be to blame.
 */
export type CircuitEvent =
  | 'request-answered'
  | 'requests-failed'
  | 'ping-sent'
  | 'ping-answered'
  | 'ping-failed'
  | 'ping-inconclusive';

/** Events that are not listed leave the state as it is. */
const TRANSITIONS: Readonly<Record<CircuitState, Partial<Record<CircuitEvent, CircuitState>>>> = {
  closed: {
    'requests-failed': 'open',
    'ping-failed': 'open',
    'ping-inconclusive': 'suspect',
  },
  suspect: {
    'request-answered': 'closed',
    'requests-failed': 'open',
    'ping-answered': 'closed',
    'ping-failed': 'open',
    'ping-inconclusive': 'open',
  },
  // The answer to a ping that was sent before the circuit opened does not close it.
  open: { 'ping-sent': 'half-open' },
  'half-open': {
    'ping-answered': 'closed',
    'ping-failed': 'open',
    'ping-inconclusive': 'open',
  },
};

export function nextState(state: CircuitState, event: CircuitEvent): CircuitState {
  return TRANSITIONS[state][event] ?? state;
}

/** Whether requests are sent to the service. */
export function passesRequests(state: CircuitState): boolean {
  return state === 'closed' || state === 'suspect';
}
