/**
 * The state of a circuit breaker for one service:
 *
 * - `closed`: requests are sent.
 * - `suspect`: requests are sent. The last ping failed, but the service may not be the cause; the next ping decides.
 * - `open`: requests fail without being sent.
 * - `half-open`: requests fail without being sent. A ping is in flight, and its answer closes the circuit.
 */
export type CircuitState = 'closed' | 'suspect' | 'open' | 'half-open';

/**
 * - `request-answered`: the service has answered a request; a refusal also counts as an answer.
 * - `requests-failed`: too many consecutive requests have failed.
 * - `ping-inconclusive`: a ping has failed, but the service may not be the cause.
 */
export type CircuitEvent =
  | 'request-answered'
  | 'requests-failed'
  | 'ping-sent'
  | 'ping-answered'
  | 'ping-failed'
  | 'ping-inconclusive';

/** The next state by state and event. An event that is not listed does not change the state. */
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
  // An answered ping does not close an open circuit, because the ping was sent before the circuit opened. Only the
  // answer to a later ping, sent in this state, does.
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

export function passesRequests(state: CircuitState): boolean {
  return state === 'closed' || state === 'suspect';
}
