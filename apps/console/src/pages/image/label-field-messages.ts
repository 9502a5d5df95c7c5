import { defineMessages } from '../../messages/define-messages.ts';

export const LABEL_FIELD_MESSAGES = defineMessages({
  en: {
    type: 'Type a name',
    none: 'No name is like this',
    create: (label: string) => `New: ${label}`,
  },
  de: {
    type: 'Tippen Sie einen Namen',
    none: 'Kein Name ist ähnlich',
    create: (label: string) => `Neu: ${label}`,
  },
});
