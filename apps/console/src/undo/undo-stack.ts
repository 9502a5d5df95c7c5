/** A change of this tab that can be taken back. */
export interface UndoneChange {
  /** The operations of which the change consists, in the order in which they were done. */
  readonly operationIds: readonly number[];
  /** A text for people, such as "3 faces confirmed". */
  readonly text: string;
  /** Takes the change back where it was made, because it may not have been sent yet. */
  readonly takeBack?: () => void;
}

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
    this.#done = [...this.#done, change].slice(-CAPACITY);
    this.#undone = [];
    this.#notify();
  }

  /** Forgets a change that was not carried out after all. */
  remove(change: UndoneChange): void {
    this.#done = this.#done.filter((each) => each !== change);
    this.#notify();
  }

  /** @param operationIds the operations of the undo, whose undo repeats the change; empty if nothing was taken back */
  undid(change: UndoneChange, operationIds: readonly number[]): void {
    this.#done = this.#done.filter((each) => each !== change);
    if (operationIds.length > 0) this.#undone = [...this.#undone, { ...change, operationIds }];
    this.#notify();
  }

  redid(change: UndoneChange, operationIds: readonly number[]): void {
    this.#undone = this.#undone.filter((each) => each !== change);
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
