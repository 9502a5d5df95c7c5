import { defineMessages } from '../../messages/define-messages.ts';

export const IMAGES_MESSAGES = defineMessages({
  en: {
    title: 'Images',
    emptyTitle: 'There are no images yet',
    emptyText: 'Photos that you upload or that applications send appear here.',
    imageOf: (name: string) => `Photo ${name}`,
  },
  de: {
    title: 'Bilder',
    emptyTitle: 'Es gibt noch keine Bilder',
    emptyText: 'Fotos, die Sie hochladen oder die Anwendungen senden, erscheinen hier.',
    imageOf: (name: string) => `Foto ${name}`,
  },
});
