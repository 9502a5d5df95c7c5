/** A change of this tab that can be taken back. */
export interface UndoneChange {
  /** The operations of which the change consists, in the order in which they were done. */
  readonly operationIds: readonly number[];
  /** A text for people, such as "3 faces confirmed". */
  readonly text: string;
  /** Takes the change back where it was made, because it may not have been sent yet. */
  readonly takeBack?: () => void;
  /** Called when the change can no longer be taken back: it was, or was not carried out, or is too old. */
  readonly onForgotten?: () => void;
}

export interface TakenBack {
  /** The operations of the undo, whose undo repeats the change; empty if nothing was taken back. */
  readonly operationIds: readonly number[];
  /** The operations of the change that are still to be taken back, because the undo failed before them. */
  readonly rest: readonly number[];
}

/** The number of changes that can be taken back. */
const CAPACITY = 50;

/** The latest changes of this tab, for taking them back in reverse order and for repeating them. */
export class UndoStack {
  #done: readonly UndoneChange[] = [];
  #undone: readonly UndoneChange[] = [];
  readonly #listeners = new Set<() => void>();
  #isBusy = false;

  get lastDone(): UndoneChange | null {
    return this.#done.at(-1) ?? null;
  }

  get lastUndone(): UndoneChange | null {
    return this.#undone.at(-1) ?? null;
  }

  /** Adds a new change, after which nothing that was taken back before can be repeated. */
  push(change: UndoneChange): void {
    const all = [...this.#done, change];
    this.#done = all.slice(-CAPACITY);
    this.#undone = [];
    for (const forgotten of all.slice(0, -CAPACITY)) forgotten.onForgotten?.();
    this.#notify();
  }

  /** Forgets a change that was taken back where it was made, or was not carried out after all. */
  remove(change: UndoneChange): void {
    if (!this.#done.includes(change)) return;
    this.#done = this.#done.filter((each) => each !== change);
    change.onForgotten?.();
    this.#notify();
  }

  undid(change: UndoneChange, { operationIds, rest }: TakenBack): void {
    this.#done = withRest(this.#done, change, rest);
    if (operationIds.length > 0) this.#undone = [...this.#undone, { ...change, operationIds }];
    this.#notify();
  }

  redid(change: UndoneChange, { operationIds, rest }: TakenBack): void {
    this.#undone = withRest(this.#undone, change, rest);
    if (operationIds.length > 0) this.#done = [...this.#done, { ...change, operationIds }];
    this.#notify();
  }

  /** Runs an undo or a repetition unless one is running, because a second one would find that everything was changed. */
  async alone(change: () => Promise<void>): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      await change();
    } finally {
      this.#isBusy = false;
    }
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

function withRest(
  changes: readonly UndoneChange[],
  change: UndoneChange,
  rest: readonly number[],
): readonly UndoneChange[] {
  return changes.flatMap((each) => {
    if (each !== change) return [each];
    return rest.length === 0 ? [] : [{ ...change, operationIds: rest }];
  });
}
