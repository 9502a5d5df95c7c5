import type { ReactNode } from 'react';
import {
  CheckboxButton,
  CheckboxField,
  GridList,
  GridListItem,
  type Selection,
} from 'react-aria-components';
import { defineMessages } from '../messages/define-messages.ts';
import { useMessages } from '../messages/locale-context.tsx';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import styles from './tiles.module.css';

const MESSAGES = defineMessages({
  en: { more: 'Show more' },
  de: { more: 'Mehr anzeigen' },
});

export interface Tile {
  readonly id: number;
  /** The name of the tile for screen readers and for finding it by its first letters. */
  readonly text: string;
  readonly content: ReactNode;
}

export interface TilesProps {
  readonly label: string;
  readonly tiles: readonly Tile[];
  readonly selected: ReadonlySet<number>;
  readonly onSelect: (selected: ReadonlySet<number>) => void;
  /** Called when a tile is opened by a click or by Enter. */
  readonly onOpen?: ((id: number) => void) | undefined;
  readonly more?: { readonly hasMore: boolean; readonly readMore: () => void } | undefined;
}

/** Pictures in rows, which can be selected and opened with the mouse and the keyboard. */
export function Tiles({ label, tiles, selected, onSelect, onOpen, more }: TilesProps) {
  const texts = useMessages(MESSAGES);
  const all = tiles.map(({ id }) => id);
  return (
    <div>
      <GridList
        aria-label={label}
        layout="grid"
        className={styles.tiles}
        {...(selected.size > 0 && { 'data-selecting': true })}
        items={tiles}
        selectionMode="multiple"
        selectedKeys={selected}
        onSelectionChange={(keys) => onSelect(toIds(keys, all))}
        {...(onOpen && { onAction: (key) => onOpen(Number(key)) })}
      >
        {({ id, text, content }) => (
          <GridListItem id={id} textValue={text} className={styles.tile}>
            {content}
            <CheckboxField slot="selection">
              <CheckboxButton className={styles.check}>
                <Icon name="check" />
              </CheckboxButton>
            </CheckboxField>
          </GridListItem>
        )}
      </GridList>
      {more?.hasMore && (
        <div className={styles.more}>
          <Button onPress={more.readMore}>{texts.more}</Button>
        </div>
      )}
    </div>
  );
}

function toIds(keys: Selection, all: readonly number[]): ReadonlySet<number> {
  return new Set(keys === 'all' ? all : [...keys].map(Number));
}
