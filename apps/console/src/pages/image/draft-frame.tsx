import { type KeyboardEvent, useEffect, useRef } from 'react';
import { useCommands } from '../../keys/keyboard-context.tsx';
import { useMessages } from '../../messages/locale-context.tsx';
import { type Box, draftAfterKey, placeOf, type Size } from './draft-box.ts';
import styles from './image.module.css';
import { IMAGE_MESSAGES } from './image-messages.ts';

export interface DraftFrameProps {
  readonly draft: Box;
  readonly image: Size;
  readonly onDraft: (box: Box) => void;
  readonly onSave: () => void;
  readonly onCancel: () => void;
}

/** The box that is being drawn. It has the focus, so that arrows move it and no field for text loses them. */
export function DraftFrame({ draft, image, onDraft, onSave, onCancel }: DraftFrameProps) {
  const texts = useMessages(IMAGE_MESSAGES);
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => element.current?.focus(), []);
  useCommands([
    {
      id: 'image.draft',
      label: texts.draftKeys,
      keys: ['←↑→↓', 'Shift+←↑→↓', 'Alt+←↑→↓'],
      run: () => undefined,
      isDisabled: true,
    },
    { id: 'image.cancelDraft', label: texts.cancel, run: onCancel },
  ]);
  const onKeyDown = (event: KeyboardEvent) => {
    const moved = draftAfterKey(draft, event, image);
    if (moved !== null) onDraft(moved);
    else if (event.key === 'Enter') onSave();
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={element}
      className={styles.draft}
      style={placeOf(draft, image)}
      role="application"
      aria-label={texts.drawing}
      tabIndex={0}
      onKeyDown={onKeyDown}
    />
  );
}
