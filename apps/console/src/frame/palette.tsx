import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import {
  Autocomplete,
  Header,
  Input,
  Label,
  Menu,
  MenuItem,
  MenuSection,
  TextField,
  useFilter,
} from 'react-aria-components';
import { useRead } from '../client/api-context.tsx';
import { FaceCrop } from '../faces/face-crop.tsx';
import type { Command } from '../keys/keyboard.ts';
import { useAllCommands, useKeyboard } from '../keys/keyboard-context.tsx';
import { defineMessages } from '../messages/define-messages.ts';
import { useMessages } from '../messages/locale-context.tsx';
import { Dialog } from '../ui/dialog.tsx';
import menu from '../ui/menu.module.css';
import field from '../ui/text-input.module.css';
import styles from './palette.module.css';

const MESSAGES = defineMessages({
  en: {
    title: 'Search',
    label: 'People, pages and functions',
    results: 'Results',
    people: 'People',
    commands: 'Pages and functions',
    none: 'Nothing matches',
  },
  de: {
    title: 'Suchen',
    label: 'Personen, Seiten und Funktionen',
    results: 'Ergebnisse',
    people: 'Personen',
    commands: 'Seiten und Funktionen',
    none: 'Keine Treffer',
  },
});

const OFFERED_PEOPLE = 6;

export interface PaletteProps {
  readonly environment: string;
  /** The id of the command that opens the palette, which is not offered. */
  readonly opener: string;
  readonly onClose: () => void;
}

/** Finds people by name, and everything that has a key on this page. */
export function Palette({ environment, opener, onClose }: PaletteProps) {
  const texts = useMessages(MESSAGES);
  const router = useRouter();
  const [text, setText] = useState('');
  const people = usePeople(text.trim());
  const commands = useCommandsLike(text.trim(), opener);
  const openPerson = (id: number) => {
    onClose();
    void router.navigate({
      to: '/$environment/people/$person',
      params: { environment, person: String(id) },
    });
  };
  const run = (command: Command) => {
    onClose();
    command.run();
  };
  return (
    <Dialog title={texts.title} isOpen onClose={onClose}>
      <Autocomplete inputValue={text} onInputChange={setText}>
        <TextField className={styles.field} autoFocus>
          <Label className={field.label}>{texts.label}</Label>
          <Input className={field.input} dir="auto" />
        </TextField>
        <Menu
          className={styles.results}
          aria-label={texts.results}
          renderEmptyState={() => <p className={styles.none}>{texts.none}</p>}
        >
          {people.length > 0 && (
            <MenuSection>
              <Header className={menu.header}>{texts.people}</Header>
              {people.map(({ identity_id: id, label, thumbnail_url: url }) => (
                <MenuItem
                  key={id}
                  textValue={label}
                  className={styles.person}
                  onAction={() => openPerson(id)}
                >
                  <FaceCrop url={url} alt="" width={96} />
                  <bdi>{label}</bdi>
                </MenuItem>
              ))}
            </MenuSection>
          )}
          {commands.length > 0 && (
            <MenuSection>
              <Header className={menu.header}>{texts.commands}</Header>
              {commands.map((command) => (
                <CommandItem key={command.id} command={command} onRun={() => run(command)} />
              ))}
            </MenuSection>
          )}
        </Menu>
      </Autocomplete>
    </Dialog>
  );
}

function CommandItem({
  command,
  onRun,
}: {
  readonly command: Command;
  readonly onRun: () => void;
}) {
  const [key] = useKeyboard().keysOf(command);
  return (
    <MenuItem id={command.id} textValue={command.label} className={styles.command} onAction={onRun}>
      {command.label}
      {key !== undefined && <kbd aria-hidden>{key}</kbd>}
    </MenuItem>
  );
}

function usePeople(sought: string) {
  const found = useRead(
    'searchIdentities',
    { query: { q: sought, type: 'face', limit: OFFERED_PEOPLE } },
    { enabled: sought !== '', keepPrevious: true },
  );
  return sought === '' ? [] : (found.data?.items ?? []);
}

function useCommandsLike(sought: string, opener: string): readonly Command[] {
  const { contains } = useFilter({ sensitivity: 'base' });
  return useAllCommands().filter(
    ({ id, label, isDisabled }) => id !== opener && isDisabled !== true && contains(label, sought),
  );
}
