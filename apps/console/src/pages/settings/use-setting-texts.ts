import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import type { Setting } from './setting-groups.ts';
import { SETTING_DESCRIPTIONS, SETTING_NAMES } from './setting-texts.ts';
import { SETTINGS_MESSAGES } from './settings-messages.ts';
import type { SettingValue } from './setting-value.ts';

/** Returns functions that describe a setting. One of a later release has the texts of the service. */
export function useSettingTexts() {
  const names: Readonly<Record<string, string>> = useMessages(SETTING_NAMES);
  const descriptions: Readonly<Record<string, string>> = useMessages(SETTING_DESCRIPTIONS);
  const texts = useMessages(SETTINGS_MESSAGES);
  const formats = useFormats();
  const units = {
    bytes: texts.unitBytes,
    days: texts.unitDays,
    megabytes: texts.unitMegabytes,
    pixels: texts.unitPixels,
    requests: texts.unitRequests,
    seconds: texts.unitSeconds,
  };
  const optionText = (option: string) =>
    option in texts ? (texts as unknown as Record<string, string>)[option]! : option;
  const unitOf = ({ key, unit }: Setting) =>
    key === 'curation.undo_days' ? units.days : unit === null ? null : units[unit];
  const valueText = ({ options }: Setting, value: SettingValue) => {
    if (typeof value === 'number') return formats.number(value);
    if (typeof value === 'boolean') return value ? texts.on : texts.off;
    if (value.length === 0) return texts.empty;
    if (typeof value !== 'string') return formats.list(value);
    return options === null ? value : optionText(value);
  };
  const rangeText = ({ min, max, max_items: maxItems }: Setting) => {
    if (min !== null && max !== null) return texts.range(formats.number(min), formats.number(max));
    return maxItems === null ? null : texts.atMost(formats.number(maxItems));
  };
  return {
    nameOf: ({ key }: Setting) => names[key] ?? key,
    descriptionOf: ({ key, description }: Setting) => descriptions[key] ?? description,
    optionText,
    unitOf,
    /** The range, the unit, the default and the last change. */
    factsOf: (setting: Setting) =>
      [
        [rangeText(setting), unitOf(setting)].filter((text) => text !== null).join(' '),
        texts.default(valueText(setting, setting.default)),
        changeText(setting),
      ].filter((text) => text !== '' && text !== null),
  };

  function changeText({ changed_at: at, changed_by: by }: Setting): string | null {
    if (at === null) return null;
    const time = formats.dateTime(at);
    if (by === null) return texts.changed(time);
    const key = by.key_id === null ? null : texts.key(String(by.key_id));
    const who = by.name ?? key;
    return who === null ? texts.changed(time) : texts.changedBy(time, who);
  }
}
