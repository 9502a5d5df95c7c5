import { useFormats, useMessages } from '../messages/locale-context.tsx';
import { SELECTION_MESSAGES } from './selection-messages.ts';

/** Numbers of images, and of what was found in them, as texts. */
export function useImageTexts() {
  const texts = useMessages(SELECTION_MESSAGES);
  const formats = useFormats();
  return {
    images: (count: number) =>
      formats.plural(count, { one: texts.oneImage, other: texts.images(formats.number(count)) }),
    found: (count: number) => texts.found(formats.number(count)),
  };
}
