/** The decision of a person about a face. */
export type Verdict =
  | { readonly kind: 'confirm'; readonly identityId: number }
  /** The face is of the person of this name, who is created if there is none. */
  | { readonly kind: 'name'; readonly name: string }
  /** `keep`: the face belongs to its person, although it looks different. */
  | { readonly kind: 'reject' | 'dismiss' | 'unassign' | 'keep' }
  /** Takes back another decision, whose operation is known once the service has answered it. */
  | { readonly kind: 'undo'; readonly undoes: string; readonly operationId: number | null };

/** The state of the face that the person saw. A face in another state was decided about elsewhere. */
export interface SeenState {
  readonly status: 'pending' | 'confirmed' | 'rejected';
  /** Undefined if the decision holds whichever identity the face has when it is sent. */
  readonly identityId?: number | undefined;
}

export interface Decision {
  /** The key that makes a repeated request harmless. */
  readonly id: string;
  readonly face: number;
  readonly verdict: Verdict;
  readonly seen: SeenState;
  /** Whether it was sent before, so that the service may have carried it out already. */
  readonly wasSent: boolean;
}

/** A face about which the person decides again. */
export interface ReturnedFace {
  readonly face: number;
  /** The reason of a refusal; null if the person took the decision back. */
  readonly error: Error | null;
}

export interface DecisionState {
  /** The decisions without an answer, the oldest first. */
  readonly unanswered: readonly Decision[];
  readonly sending: ReadonlySet<string>;
  /** The operations of the decisions that can still be taken back, by the ids of the decisions; null without an answer. */
  readonly operations: ReadonlyMap<string, number | null>;
  /** The faces that need no decision any more. */
  readonly decided: ReadonlySet<number>;
  /** The faces that came back, the latest first. */
  readonly returned: readonly ReturnedFace[];
}

const MAX_SENDING = 4;

/** @param unanswered the decisions that an earlier page has stored */
export function initialDecisions(unanswered: readonly Decision[] = []): DecisionState {
  return {
    unanswered,
    sending: new Set(),
    operations: new Map(),
    decided: new Set(unanswered.filter((each) => holds(each, unanswered)).map(({ face }) => face)),
    returned: [],
  };
}

export function decide(state: DecisionState, decision: Decision): DecisionState {
  return {
    ...state,
    unanswered: [...state.unanswered, decision],
    operations: new Map([...state.operations, [decision.id, null]]),
    decided: new Set([...state.decided, decision.face]),
    returned: state.returned.filter(({ face }) => face !== decision.face),
  };
}

/** The decisions to send now. Those about one face or one new name are sent one after the other. */
export function decisionsToSend({ unanswered, sending }: DecisionState): Decision[] {
  const taken = new Set<string>();
  const ready: Decision[] = [];
  for (const decision of unanswered) {
    const subjects = subjectsOf(decision);
    const isFree = subjects.every((subject) => !taken.has(subject));
    for (const subject of subjects) taken.add(subject);
    if (isFree && !sending.has(decision.id)) ready.push(decision);
  }
  return ready.slice(0, Math.max(MAX_SENDING - sending.size, 0));
}

export function beginSending(state: DecisionState, id: string): DecisionState {
  return { ...state, sending: new Set([...state.sending, id]) };
}

/** From here on, the service may carry out the decision. */
export function markSent(state: DecisionState, id: string): DecisionState {
  return {
    ...state,
    unanswered: state.unanswered.map((each) =>
      each.id === id ? { ...each, wasSent: true } : each,
    ),
  };
}

/** The service could not answer. The decision keeps its place. */
export function postpone(state: DecisionState, id: string): DecisionState {
  return { ...state, sending: without(state.sending, id) };
}

/** @param operationId the operation that the decision was; null if it changed nothing */
export function answer(state: DecisionState, id: string, operationId: number | null) {
  const rest = remove(state, id);
  return {
    ...rest,
    unanswered: rest.unanswered.flatMap((each) => withOperation(each, id, operationId)),
    ...(rest.operations.has(id) && {
      operations: new Map([...rest.operations, [id, operationId]]),
    }),
  };
}

/** The decision can no longer be taken back, so its operation need not be known. */
export function forgetOperation(state: DecisionState, id: string): DecisionState {
  if (!state.operations.has(id)) return state;
  return { ...state, operations: new Map([...state.operations].filter(([each]) => each !== id)) };
}

/** The service did not carry out the decision, so the person decides again. */
export function refuse(state: DecisionState, id: string, error: Error): DecisionState {
  const refused = state.unanswered.find((each) => each.id === id);
  const rest = remove(state, id);
  const unanswered = rest.unanswered.filter(({ verdict }) => !isUndoOf(verdict, id));
  const next = { ...rest, unanswered };
  if (refused === undefined || !isNoUndo(refused)) return next;
  const isDecidedAgain = unanswered.some((each) => each.face === refused.face && isNoUndo(each));
  return isDecidedAgain ? next : giveBack(next, { face: refused.face, error });
}

export interface TakeBack {
  /** The id of the decision. */
  readonly id: string;
  readonly face: number;
  /** The id for the decision that takes it back, if it needs one. */
  readonly undoId: string;
}

/** A decision that was not sent disappears; another one is taken back by a decision of its own. */
export function takeBack(state: DecisionState, { id, face, undoId }: TakeBack): DecisionState {
  const returned = giveBack(forgetOperation(state, id), { face, error: null });
  const decision = state.unanswered.find((each) => each.id === id);
  if (decision?.wasSent === false) return remove(returned, id);
  const operationId = state.operations.get(id) ?? null;
  const isCarriedOut = decision !== undefined || operationId !== null;
  if (!isCarriedOut) return returned;
  const undo: Decision = {
    id: undoId,
    face,
    verdict: { kind: 'undo', undoes: id, operationId },
    seen: { status: 'pending' },
    wasSent: false,
  };
  return { ...returned, unanswered: [...returned.unanswered, undo] };
}

/** Forgets which faces were decided about, except for those whose decisions are on their way. */
export function forgetDecided(state: DecisionState): DecisionState {
  const { decided } = initialDecisions(state.unanswered);
  return { ...state, decided, returned: state.returned.filter(({ error }) => error !== null) };
}

function giveBack(state: DecisionState, returned: ReturnedFace): DecisionState {
  return {
    ...state,
    decided: without(state.decided, returned.face),
    returned: [returned, ...state.returned.filter(({ face }) => face !== returned.face)],
  };
}

function remove(state: DecisionState, id: string): DecisionState {
  return {
    ...state,
    unanswered: state.unanswered.filter((each) => each.id !== id),
    sending: without(state.sending, id),
  };
}

/** An undo learns the operation that it takes back. It disappears if there is none. */
function withOperation(decision: Decision, undoes: string, operationId: number | null): Decision[] {
  const { verdict } = decision;
  if (!isUndoOf(verdict, undoes)) return [decision];
  if (operationId === null) return [];
  return [{ ...decision, verdict: { kind: 'undo', undoes, operationId } }];
}

function isUndoOf(verdict: Verdict, id: string): boolean {
  return verdict.kind === 'undo' && verdict.undoes === id;
}

/** Whether it is a decision that no other one takes back. */
function holds({ id, verdict }: Decision, unanswered: readonly Decision[]): boolean {
  return verdict.kind !== 'undo' && !unanswered.some((each) => isUndoOf(each.verdict, id));
}

function isNoUndo({ verdict }: Decision): boolean {
  return verdict.kind !== 'undo';
}

function subjectsOf({ face, verdict }: Decision): string[] {
  const name = verdict.kind === 'name' ? [`name ${verdict.name.toLowerCase()}`] : [];
  return [`face ${face}`, ...name];
}

function without<T>(set: ReadonlySet<T>, member: T): ReadonlySet<T> {
  return new Set([...set].filter((each) => each !== member));
}
