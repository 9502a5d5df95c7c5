import { type CommandId, COMMANDS } from './commands.ts';
import { isCharacterKey, leavesFields } from './key-name.ts';

/** The effect of a key. */
export interface Action {
  /** The text for the list of keys. */
  readonly label: string;
  readonly run: () => void;
  readonly isDisabled?: boolean;
}

/** Something that a key of the page does: with keys of the table of commands, or with keys that cannot be changed. */
export type Command = Action &
  (
    | { readonly id: CommandId; readonly keys?: undefined }
    | { readonly id: string; readonly keys: readonly string[] }
  );

/** The choices of a person. */
export interface KeySettings {
  /** Whether keys without Ctrl or Alt run commands (WCAG 2.1.4). */
  readonly characterKeys: boolean;
  /** Other keys of commands, by their ids. */
  readonly changed: Readonly<Partial<Record<CommandId, string>>>;
}

export const USUAL_KEYS: KeySettings = { characterKeys: true, changed: {} };

/** The time within which the second key of a sequence follows the first, in ms. */
const SEQUENCE_MS = 1_500;

/** Finds the command of a pressed key among those that the page and the frame have registered. */
export class Keyboard {
  readonly #groups = new Map<symbol, readonly Command[]>();
  readonly #listeners = new Set<() => void>();
  readonly #now: () => number;
  #settings = USUAL_KEYS;
  #commands: readonly Command[] = [];
  #first: { readonly key: string; readonly at: number } | null = null;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** All registered commands. Those that were registered last come first, and have precedence. */
  get commands(): readonly Command[] {
    return this.#commands;
  }

  get settings(): KeySettings {
    return this.#settings;
  }

  apply(settings: KeySettings): void {
    this.#settings = settings;
    this.#changed();
  }

  /** @returns a function that removes the commands */
  register(commands: readonly Command[]): () => void {
    const group = Symbol('commands');
    this.#groups.set(group, commands);
    this.#changed();
    return () => {
      this.#groups.delete(group);
      this.#changed();
    };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  keysOf(command: Command): readonly string[] {
    return command.keys === undefined ? this.activeKeys(command.id) : this.#active(command.keys);
  }

  /** The keys of a command, including those that are switched off. */
  chosenKeys(id: CommandId): readonly string[] {
    const changed = this.#settings.changed[id];
    return changed === undefined ? COMMANDS[id].keys : [changed];
  }

  /** The keys of a command that are not switched off. */
  activeKeys(id: CommandId): readonly string[] {
    return this.#active(this.chosenKeys(id));
  }

  /**
   * Runs the command of a key.
   *
   * @param isTyping whether the key goes to a field for text, where only keys with Ctrl or Alt run commands
   * @returns whether the key has a meaning, so that the browser must not handle it, too
   */
  press(key: string, isTyping: boolean): boolean {
    if (isTyping && !leavesFields(key)) return false;
    const first = this.#first;
    this.#first = null;
    const isSequence = first !== null && this.#now() - first.at <= SEQUENCE_MS;
    const command = (isSequence ? this.#find(`${first.key} ${key}`) : undefined) ?? this.#find(key);
    if (command !== undefined) {
      command.run();
      return true;
    }
    if (this.#beginsSequence(key)) this.#first = { key, at: this.#now() };
    return this.#first !== null;
  }

  #active(keys: readonly string[]): readonly string[] {
    return keys.filter((key) => this.#settings.characterKeys || !isCharacterKey(key));
  }

  #find(keys: string): Command | undefined {
    return this.#commands.find(
      (command) => command.isDisabled !== true && this.keysOf(command).includes(keys),
    );
  }

  #beginsSequence(key: string): boolean {
    return this.#commands.some((command) =>
      this.keysOf(command).some((keys) => keys.startsWith(`${key} `)),
    );
  }

  #changed(): void {
    this.#commands = [...this.#groups.values()].reverse().flat();
    for (const listener of this.#listeners) listener();
  }
}
