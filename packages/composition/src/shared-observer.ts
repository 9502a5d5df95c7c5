import type {
  DependencyObserver,
  DependencyState,
} from '@sightline/platform/resilience/dependency';

/** Reports a changing set of processes as one service, which is available while one of them is. */
export class SharedObserver {
  readonly #name: string;
  readonly #observer: DependencyObserver | undefined;
  readonly #states = new Map<object, DependencyState>();
  #shown: DependencyState | null = null;

  constructor(name: string, observer: DependencyObserver | undefined) {
    this.#name = name;
    this.#observer = observer;
    this.#show();
  }

  /** Observes one of the processes, until it is disposed of. */
  member(): DependencyObserver & Disposable {
    const key = {};
    return {
      stateChanged: ({ state }) => {
        this.#states.set(key, state);
        this.#show();
      },
      [Symbol.dispose]: () => {
        this.#states.delete(key);
        this.#show();
      },
    };
  }

  #show(): void {
    const states = [...this.#states.values()];
    const state = states.includes('available') ? 'available' : (states[0] ?? 'failing');
    if (state === this.#shown) return;
    this.#shown = state;
    this.#observer?.stateChanged({ name: this.#name, state });
  }
}
