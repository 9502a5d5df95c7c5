import { useQuery } from '@tanstack/react-query';
import { useApi } from '../client/api-context.tsx';
import { defineMessages } from '../messages/define-messages.ts';
import { useFormats, useMessages } from '../messages/locale-context.tsx';
import { capabilitiesQuery } from '../session/session.ts';
import { useDescribeError } from '../ui/failure.tsx';
import { PhotoFaultError } from './check-photo.ts';
import { JobItemError } from './send-uploads.ts';

const MESSAGES = defineMessages({
  en: {
    empty: 'The file is empty.',
    no_picture: 'This file is not a picture in a format that the service reads.',
    too_large: (most: string) => `The file is larger than ${most}.`,
    unreadable: 'The file cannot be read. It may have been moved or deleted.',
  },
  de: {
    empty: 'Die Datei ist leer.',
    no_picture: 'Diese Datei ist kein Bild in einem unterstützten Format.',
    too_large: (most: string) => `Die Datei ist größer als ${most}.`,
    unreadable:
      'Die Datei kann nicht gelesen werden. Möglicherweise wurde sie verschoben oder gelöscht.',
  },
});

/** Returns a function that describes in one sentence why a photo was refused, by the page or by the service. */
export function useDescribePhotoError(): (error: Error) => string {
  const texts = useMessages(MESSAGES);
  const formats = useFormats();
  const describe = useDescribeError();
  const capabilities = useQuery(capabilitiesQuery(useApi()));
  return (error) => {
    if (error instanceof JobItemError) return error.message;
    if (!(error instanceof PhotoFaultError)) return describe(error);
    const { fault } = error;
    if (fault !== 'too_large') return texts[fault];
    return texts.too_large(formats.bytes(capabilities.data?.limits.image_bytes ?? 0));
  };
}
