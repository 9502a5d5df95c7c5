import { type KeyboardEvent, useState } from 'react';
import { ComboBox, Input, Label, ListBox, ListBoxItem, Popover } from 'react-aria-components';
import { useRead } from '../client/api-context.tsx';
import type { OperationBody } from '../client/operations.ts';
import { FaceCrop } from '../faces/face-crop.tsx';
import { defineMessages } from '../messages/define-messages.ts';
import { useMessages } from '../messages/locale-context.tsx';
import { Icon } from '../ui/icon.tsx';
import menu from '../ui/menu.module.css';
import field from '../ui/text-input.module.css';
import styles from './identity-picker.module.css';

const MESSAGES = defineMessages({
  en: {
    create: (name: string) => `New person “${name}”`,
    type: 'Type a name',
    none: 'No name matches',
  },
  de: {
    create: (name: string) => `Neue Person „${name}“`,
    type: 'Geben Sie einen Namen ein',
    none: 'Kein passender Name',
  },
});

/** An identity that exists, or the name of a new one. */
export type PickedIdentity =
  { readonly id: number; readonly label: string } | { readonly id: null; readonly label: string };

export interface IdentityPickerProps {
  readonly label: string;
  readonly onPick: (picked: PickedIdentity) => void;
  /** The type of the identities; people if absent. */
  readonly type?: 'face' | 'object';
  /** Whether a new name may be given. */
  readonly canCreate?: boolean;
  /** Returns the text of the option that creates an identity; if absent, it speaks of a person. */
  readonly createText?: (label: string) => string;
  /** The identities that the list leaves out. */
  readonly except?: readonly number[];
  readonly autoFocus?: boolean;
}

interface Option {
  readonly key: string;
  readonly picked: PickedIdentity;
  /** The path of the picture; null if there is none. */
  readonly cover: string | null;
}

const OFFERED = 8;

/** Finds a person, or an identity of objects, by name, with a picture beside each name. */
export function IdentityPicker(props: IdentityPickerProps) {
  const { label, onPick, createText, autoFocus = false } = props;
  const texts = useMessages(MESSAGES);
  const [text, setText] = useState('');
  const [picks, setPicks] = useState(0);
  const sought = text.trim();
  const { options, exact } = useOptions(sought, props);
  const pick = (option: Option | undefined) => {
    if (option === undefined) return;
    setText('');
    setPicks(picks + 1);
    onPick(option.picked);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const isOnOption = event.currentTarget.hasAttribute('aria-activedescendant');
    if (event.key === 'Enter' && !isOnOption) pick(exact);
  };
  return (
    <ComboBox
      // A new field after each pick, because the list would open again for the text that was cleared.
      key={picks}
      className={field.field}
      items={options}
      inputValue={text}
      onInputChange={setText}
      value={null}
      onChange={(key) => pick(options.find((option) => option.key === key))}
      // The service has already filtered them.
      defaultFilter={() => true}
      // The names arrive after the text, when a closed list would not open any more.
      allowsEmptyCollection
    >
      <Label className={field.label}>{label}</Label>
      <Input
        className={field.input}
        dir="auto"
        autoFocus={autoFocus || picks > 0}
        onKeyDown={onKeyDown}
      />
      <Popover className={styles.popover}>
        <ListBox<Option>
          className={menu.menu}
          renderEmptyState={() => (
            <p className={styles.none}>{sought === '' ? texts.type : texts.none}</p>
          )}
        >
          {({ key, picked, cover }) => (
            <ListBoxItem id={key} textValue={picked.label} className={styles.option}>
              {picked.id === null ? (
                <Icon name="plus" />
              ) : (
                <FaceCrop url={cover} alt="" width={96} />
              )}
              <bdi className={styles.name}>
                {picked.id === null ? (createText ?? texts.create)(picked.label) : picked.label}
              </bdi>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}

/** The identities that a text finds, and the one that has exactly this label or would get it. */
function useOptions(
  sought: string,
  { type = 'face', canCreate = false, except = [] }: IdentityPickerProps,
): { readonly options: readonly Option[]; readonly exact: Option | undefined } {
  const found = useRead(
    'searchIdentities',
    { query: { q: sought, type, limit: OFFERED + except.length } },
    { enabled: sought !== '', keepPrevious: true },
  );
  const isRead = sought !== '' && found.data !== undefined;
  const all = isRead ? found.data.items.map(toOption) : [];
  const options = all.filter(({ picked }) => !except.includes(picked.id!));
  const exact = findLabel(options, sought);
  const mayBeNew = canCreate && isRead && !found.isPlaceholderData;
  if (!mayBeNew || findLabel(all, sought) !== undefined) return { options, exact };
  const created: Option = { key: 'new', picked: { id: null, label: sought }, cover: null };
  return { options: [...options, created], exact: created };
}

function toOption(found: OperationBody<'searchIdentities'>['items'][number]): Option {
  const { identity_id: id, label, thumbnail_url: cover } = found;
  return { key: String(id), picked: { id, label }, cover };
}

function findLabel(options: readonly Option[], label: string): Option | undefined {
  return options.find(({ picked }) => picked.label.toLowerCase() === label.toLowerCase());
}
