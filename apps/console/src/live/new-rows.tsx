import { defineMessages } from '../messages/define-messages.ts';
import { useFormats, useMessages } from '../messages/locale-context.tsx';
import { Button } from '../ui/button.tsx';
import styles from './new-rows.module.css';

const MESSAGES = defineMessages({
  en: {
    more: (count: string) => `${count} new`,
    fewer: (count: string) => `${count} fewer`,
    show: 'Show',
  },
  de: {
    more: (count: string) => `${count} neu`,
    fewer: (count: string) => `${count} weniger`,
    show: 'Anzeigen',
  },
});

export interface NewRowsProps {
  /** The number of rows when the list was read. */
  readonly shown: number | undefined;
  /** The number of rows that the service has. */
  readonly current: number | undefined;
  readonly onShow: () => void;
}

/** Says that the rows have changed since the list was loaded. The list does not move until the person asks for them. */
export function NewRows({ shown, current, onShow }: NewRowsProps) {
  const texts = useMessages(MESSAGES);
  const formats = useFormats();
  const more = shown === undefined || current === undefined ? 0 : current - shown;
  const text = more > 0 ? texts.more : texts.fewer;
  return (
    <span className={styles.news} role="status">
      {more !== 0 && (
        <>
          {text(formats.number(Math.abs(more)))}
          <Button look="quiet" onPress={onShow}>
            {texts.show}
          </Button>
        </>
      )}
    </span>
  );
}
