import type { KeyboardEvent } from 'react';
import { keyName } from '../keys/key-name.ts';
import { useCommands } from '../keys/keyboard-context.tsx';
import { useMessages } from '../messages/locale-context.tsx';
import type { GridMove } from './grid-geometry.ts';
import { LISTS_MESSAGES } from './lists-messages.ts';

const MOVES: Readonly<Record<string, GridMove>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
  PageUp: 'pageUp',
  PageDown: 'pageDown',
  Home: 'rowStart',
  End: 'rowEnd',
  'Ctrl+Home': 'start',
  'Ctrl+End': 'end',
};

export interface GridActions {
  readonly isSelectable: boolean;
  /** @param isRange whether the cells on the way are selected */
  readonly move: (move: GridMove, isRange: boolean) => void;
  readonly open: () => void;
  readonly toggle: () => void;
  readonly selectAll: () => void;
  /** @returns whether there was a selection */
  readonly clear: () => boolean;
}

/** Returns the handler of the keys of a grid that has the focus, and shows them in the list of keys. */
export function useGridKeys(actions: GridActions) {
  useListedKeys(actions.isSelectable);
  return (event: KeyboardEvent) => {
    const key = keyName(event);
    if (moveBy(key, actions) || act(key, actions)) event.preventDefault();
  };
}

function moveBy(key: string, { move, isSelectable }: GridActions): boolean {
  const isRange = isSelectable && /(^|\+)Shift\+/.test(key);
  const direction = MOVES[isRange ? key.replace('Shift+', '') : key];
  if (direction === undefined) return false;
  move(direction, isRange);
  return true;
}

function act(key: string, actions: GridActions): boolean {
  if (key === 'Enter') actions.open();
  else if (!actions.isSelectable) return false;
  else if (key === 'Space') actions.toggle();
  else if (key === 'Ctrl+A') actions.selectAll();
  else return key === 'Esc' && actions.clear();
  return true;
}

/** The keys are handled by the grid itself, because elsewhere on the page the browser needs them. */
function useListedKeys(isSelectable: boolean): void {
  const texts = useMessages(LISTS_MESSAGES);
  const common = [
    { id: 'grid.open', label: texts.open, keys: ['Enter'] },
    { id: 'grid.move', label: texts.move, keys: ['←↑→↓', 'Home', 'End', 'PageUp', 'PageDown'] },
  ];
  const selecting = [
    { id: 'grid.toggle', label: texts.toggle, keys: ['Space'] },
    { id: 'grid.range', label: texts.range, keys: ['Shift+←↑→↓'] },
    { id: 'grid.all', label: texts.all, keys: ['Ctrl+A'] },
    { id: 'grid.nothing', label: texts.nothing, keys: ['Esc'] },
  ];
  useCommands(
    [...common, ...(isSelectable ? selecting : [])].map((command) => ({
      ...command,
      run: () => undefined,
      isDisabled: true,
    })),
  );
}
