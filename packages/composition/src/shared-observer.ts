import type {
  DependencyObserver,
  DependencyState,
} from '@sightline/platform/resilience/dependency';

/** Reports several processes, whose number may change, as one service. The service is available if one process is. */
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

  /** Adds a process, until the returned observer is disposed of. */
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
