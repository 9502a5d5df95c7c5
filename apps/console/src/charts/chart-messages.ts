import { defineMessages } from '../messages/define-messages.ts';

export const CHART_MESSAGES = defineMessages({
  en: {
    day: 'Day (UTC)',
    asTable: (title: string) => `${title} as a table`,
    summary: (title: string, total: string, days: string) =>
      `${title}: ${total} in ${days} days. The table shows the number for each day.`,
  },
  de: {
    day: 'Tag (UTC)',
    asTable: (title: string) => `${title} als Tabelle`,
    summary: (title: string, total: string, days: string) =>
      `${title}: ${total} in ${days} Tagen. Die Tabelle zeigt die Zahl für jeden Tag.`,
  },
});
