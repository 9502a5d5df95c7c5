import { useDeferredValue, useState } from 'react';
import { ComboBox, Input, Label, ListBox, ListBoxItem, Popover } from 'react-aria-components';
import { useRead } from '../client/api-context.tsx';
import { FaceCrop } from '../faces/face-crop.tsx';
import { defineMessages } from '../messages/define-messages.ts';
import { useMessages } from '../messages/locale-context.tsx';
import { Icon } from '../ui/icon.tsx';
import menu from '../ui/menu.module.css';
import styles from './person-picker.module.css';

const MESSAGES = defineMessages({
  en: { create: (name: string) => `New person “${name}”`, none: 'Type a name' },
  de: { create: (name: string) => `Neue Person „${name}“`, none: 'Tippen Sie einen Namen' },
});

/** A person who exists, or the name of a new one. */
export type PickedPerson =
  { readonly id: number; readonly label: string } | { readonly id: null; readonly label: string };

export interface PersonPickerProps {
  readonly label: string;
  readonly onPick: (person: PickedPerson) => void;
  /** Whether a new name may be given. */
  readonly canCreate?: boolean;
  /** People who are not offered. */
  readonly except?: readonly number[];
  readonly autoFocus?: boolean;
}

/** The key of the option that creates a person. */
const NEW = 'new';
const OFFERED = 8;

/** Finds a person by name, with a face beside each name. */
export function PersonPicker(props: PersonPickerProps) {
  const { label, onPick, canCreate = false, except = [], autoFocus = false } = props;
  const texts = useMessages(MESSAGES);
  const [text, setText] = useState('');
  const sought = useDeferredValue(text.trim());
  const found = useRead(
    'searchIdentities',
    { query: { q: sought, type: 'face', limit: OFFERED + except.length } },
    { enabled: sought !== '', keepPrevious: true },
  );
  const people = (sought === '' ? [] : (found.data?.items ?? [])).filter(
    ({ identity_id: id }) => !except.includes(id),
  );
  const isNew = canCreate && sought !== '' && !people.some((person) => person.label === sought);
  return (
    <ComboBox
      className={styles.field}
      inputValue={text}
      onInputChange={setText}
      // The service has already filtered them.
      defaultFilter={() => true}
      onChange={(key) => {
        if (key === null) return;
        if (key === NEW) onPick({ id: null, label: sought });
        const person = people.find(({ identity_id: id }) => id === key);
        if (person !== undefined) onPick({ id: person.identity_id, label: person.label });
      }}
      // The names arrive after the text, when a closed list would not open any more.
      allowsEmptyCollection
      menuTrigger="input"
    >
      <Label className={styles.label}>{label}</Label>
      <Input className={styles.input} dir="auto" autoFocus={autoFocus} />
      <Popover className={styles.popover}>
        <ListBox
          className={menu.menu}
          renderEmptyState={() => <p className={styles.none}>{texts.none}</p>}
        >
          {people.map(({ identity_id: id, label: name, thumbnail_url: url }) => (
            <ListBoxItem key={id} id={id} textValue={name} className={styles.option}>
              <FaceCrop url={url} alt="" width={96} />
              <bdi className={styles.name}>{name}</bdi>
            </ListBoxItem>
          ))}
          {isNew && (
            <ListBoxItem id={NEW} textValue={sought} className={styles.option}>
              <Icon name="plus" />
              <span className={styles.name}>{texts.create(sought)}</span>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
