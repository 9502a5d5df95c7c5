import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useSyncExternalStore,
} from 'react';
import { keyName } from './key-name.ts';
import type { CommandId } from './commands.ts';
import { type Command, Keyboard, type KeySettings } from './keyboard.ts';
import { KEY_SETTINGS_NAME, readKeySettings } from './stored-key-settings.ts';

const KeyboardContext = createContext<Keyboard | null>(null);

/** Listens to the keys of the whole page. */
export function KeyboardProvider({ children }: { readonly children: ReactNode }) {
  const keyboard = useMemo(() => {
    const created = new Keyboard();
    created.apply(readKeySettings());
    return created;
  }, []);
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || isModifier(event.key)) return;
      // An open dialog has the keys for itself.
      if (document.querySelector('[role=dialog],[role=alertdialog]') !== null) return;
      if (movesValue(event) || opensLink(event)) return;
      // A key that is held too long would decide about what the person has not seen yet.
      if (event.repeat && !mayRepeat(event.key)) return;
      if (keyboard.press(keyName(event), isTyping(event.target))) event.preventDefault();
    };
    // Another tab of the browser has changed the settings.
    const stored = ({ key }: StorageEvent) => {
      if (key === KEY_SETTINGS_NAME) keyboard.apply(readKeySettings());
    };
    document.addEventListener('keydown', pressed);
    window.addEventListener('storage', stored);
    return () => {
      document.removeEventListener('keydown', pressed);
      window.removeEventListener('storage', stored);
    };
  }, [keyboard]);
  return <KeyboardContext.Provider value={keyboard}>{children}</KeyboardContext.Provider>;
}

export function useKeyboard(): Keyboard {
  const keyboard = useContext(KeyboardContext);
  if (keyboard === null) throw new Error('The component is outside of a KeyboardProvider.');
  return keyboard;
}

/**
 * Registers commands while the component is shown, before it can be seen. They run what the latest rendering has given.
 */
export function useCommands(commands: readonly Command[]): void {
  const keyboard = useKeyboard();
  const latest = useRef(commands);
  useLayoutEffect(() => {
    latest.current = commands;
  });
  const signature = JSON.stringify(commands.map((command) => ({ ...command, run: undefined })));
  useLayoutEffect(
    () =>
      keyboard.register(
        (JSON.parse(signature) as Command[]).map((command) => ({
          ...command,
          run: () => latest.current.find(({ id }) => id === command.id)?.run(),
        })),
      ),
    [keyboard, signature],
  );
}

/** All commands of the page and the frame. */
export function useAllCommands(): readonly Command[] {
  const keyboard = useKeyboard();
  return useSyncExternalStore(keyboard.subscribe, () => keyboard.commands);
}

/** The settings of the keys as they are now. */
export function useKeySettings(): KeySettings {
  const keyboard = useKeyboard();
  return useSyncExternalStore(keyboard.subscribe, () => keyboard.settings);
}

/** The key of a command as buttons name it; null if it is switched off. */
export function useShortcut(id: CommandId): string | null {
  const keyboard = useKeyboard();
  return useSyncExternalStore(keyboard.subscribe, () => keyboard.activeKeys(id)[0] ?? null);
}

function isModifier(key: string): boolean {
  return ['Shift', 'Control', 'Alt', 'Meta'].includes(key);
}

const TEXT_INPUTS =
  'input:not([type=checkbox],[type=radio],[type=range],[type=button]),textarea,select';

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches(TEXT_INPUTS));
}

/** Whether the key opens the link or the details that have the focus. */
function opensLink({ key, target }: KeyboardEvent): boolean {
  return (
    (key === 'Enter' || key === ' ') &&
    target instanceof Element &&
    target.closest('a[href],summary') !== null
  );
}

/** Whether a held key goes on: keys that move or zoom, and no key that changes anything. */
function mayRepeat(key: string): boolean {
  return /^(Arrow.*|Home|End|Page.*|[+-])$/.test(key);
}

/** Whether the key moves the value of a slider or of radio buttons, which the browser does after all listeners. */
function movesValue({ key, target }: KeyboardEvent): boolean {
  return (
    target instanceof HTMLElement &&
    target.matches('input[type=range],input[type=radio]') &&
    /^(Arrow|Home|End|Page)/.test(key)
  );
}
