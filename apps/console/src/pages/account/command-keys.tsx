import { useState } from 'react';
import { FRAME_MESSAGES } from '../../frame/frame-messages.ts';
import { COMMAND_IDS, type CommandId, COMMANDS } from '../../keys/commands.ts';
import { refusalOf } from '../../keys/key-choice.ts';
import type { KeySettings } from '../../keys/keyboard.ts';
import { useKeyboard, useKeySettings } from '../../keys/keyboard-context.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Table } from '../../ui/table.tsx';
import { useUndoable } from '../../undo/undo-context.tsx';
import styles from './account.module.css';
import { COMMAND_MESSAGES } from './command-messages.ts';
import { KeyDialog, useRefusalText } from './key-dialog.tsx';
import { useCommandLabels } from './use-command-labels.ts';

/** The tables by the names of their texts, each with the first parts of the ids of its commands. */
const GROUPS = [
  ['everywhere', ['frame']],
  ['review', ['review', 'group']],
  ['people', ['people']],
  ['person', ['person']],
  ['unknown', ['unknown']],
  ['images', ['images']],
  ['image', ['image']],
  ['upload', ['upload']],
  ['changes', ['changes']],
] as const satisfies readonly (readonly [string, readonly string[]])[];

function commandsOf(prefixes: readonly string[]): readonly CommandId[] {
  return COMMAND_IDS.filter((id) => prefixes.includes(id.split('.', 1)[0]!));
}

function withKey(changed: Changed, id: CommandId, key: string | null): Changed {
  const others = Object.entries(changed).filter(([each]) => each !== id);
  return Object.fromEntries(key === null ? others : [...others, [id, key]]);
}

type Changed = KeySettings['changed'];

export interface CommandKeysProps {
  readonly onChange: (changed: Changed) => void;
}

/** All commands with their keys, each of which can have another one. */
export function CommandKeys({ onChange }: CommandKeysProps) {
  const texts = useMessages(COMMAND_MESSAGES);
  const names = { ...useMessages(FRAME_MESSAGES), ...texts };
  const { changed } = useKeySettings();
  const keyboard = useKeyboard();
  const { announce } = useUndoable();
  const labels = useCommandLabels();
  const refusalText = useRefusalText(labels);
  const [asked, setAsked] = useState<CommandId | null>(null);
  const choose = (id: CommandId, key: string) => {
    setAsked(null);
    const [usual, ...more] = COMMANDS[id].keys;
    onChange(withKey(changed, id, key === usual && more.length === 0 ? null : key));
    announce(texts.saved(labels[id], key));
  };
  /** The usual keys may belong to another command by now. */
  const reset = (id: CommandId) => {
    const usual = COMMANDS[id].keys;
    const [taken] = usual.flatMap((key) => {
      const refusal = refusalOf(key, id, (other) => keyboard.chosenKeys(other));
      return refusal?.kind === 'taken' ? [refusalText(key, refusal)] : [];
    });
    if (taken === undefined) onChange(withKey(changed, id, null));
    announce(taken ?? texts.saved(labels[id], usual.join(', ')));
  };
  const resetAll = () => {
    onChange({});
    announce(texts.resetDone);
  };
  return (
    <div className={styles.commands}>
      <h3>{texts.keys}</h3>
      {GROUPS.map(([group, prefixes]) => (
        <details key={group}>
          <summary className={styles.summary}>{names[group]}</summary>
          <KeyTable
            label={names[group]}
            commands={commandsOf(prefixes)}
            labels={labels}
            onChange={setAsked}
            onReset={reset}
          />
        </details>
      ))}
      <div>
        <Button isDisabled={Object.keys(changed).length === 0} onPress={resetAll}>
          {texts.resetAll}
        </Button>
      </div>
      {asked !== null && (
        <KeyDialog
          command={asked}
          labels={labels}
          onChosen={(key) => choose(asked, key)}
          onClose={() => setAsked(null)}
        />
      )}
    </div>
  );
}

interface KeyTableProps {
  readonly label: string;
  readonly commands: readonly CommandId[];
  readonly labels: Readonly<Record<CommandId, string>>;
  readonly onChange: (id: CommandId) => void;
  readonly onReset: (id: CommandId) => void;
}

function KeyTable({ label, commands, labels, onChange, onReset }: KeyTableProps) {
  const texts = useMessages(COMMAND_MESSAGES);
  const formats = useFormats();
  const keyboard = useKeyboard();
  const { changed } = useKeySettings();
  return (
    <Table label={label} columns={[texts.command, texts.key, texts.change]}>
      {commands.map((id) => {
        const keys = keyboard.activeKeys(id);
        return (
          <tr key={id}>
            <th scope="row">{labels[id]}</th>
            <td>{keys.length === 0 ? texts.off : keys.map((key) => <kbd key={key}>{key}</kbd>)}</td>
            <td className={styles.keyActions}>
              <Button
                aria-label={texts.changeOf(`${labels[id]}: ${formats.list(keys)}`)}
                onPress={() => onChange(id)}
              >
                {texts.change}
              </Button>
              {changed[id] !== undefined && (
                <Button aria-label={texts.resetOf(labels[id])} onPress={() => onReset(id)}>
                  {texts.reset}
                </Button>
              )}
            </td>
          </tr>
        );
      })}
    </Table>
  );
}
