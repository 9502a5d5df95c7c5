import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useRead } from '../../client/api-context.tsx';
import { Page } from '../../frame/page.tsx';
import { Empty, Loading } from '../../frame/page-state.tsx';
import { useMessages } from '../../messages/locale-context.tsx';
import { useRights } from '../../session/use-rights.ts';
import { Chips } from '../../ui/chips.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel, Panels } from '../../ui/panel.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { SettingField } from './setting-field.tsx';
import { type Group, groupSettings, type Setting } from './setting-groups.ts';
import { crossingOf } from './setting-value.ts';
import styles from './settings.module.css';
import { SETTINGS_MESSAGES } from './settings-messages.ts';
import { useSettingTexts } from './use-setting-texts.ts';

const route = getRouteApi('/$environment/settings');

/** All settings that apply in the environment, those of the installation among them. */
export function SettingsPage() {
  const texts = useMessages(SETTINGS_MESSAGES);
  const { q } = route.useSearch();
  const navigate = useNavigate({ from: '/$environment/settings' });
  const settings = useRead('listSettings');
  const search = (text: string) =>
    void navigate({ search: { q: text === '' ? undefined : text }, replace: true });
  return (
    <Page
      title={texts.title}
      actions={
        <TextInput
          label={texts.search}
          isLabelHidden
          placeholder={texts.search}
          type="search"
          value={q ?? ''}
          onChange={search}
        />
      }
    >
      {settings.isPending && <Loading />}
      {settings.error && <Failure error={settings.error} onRetry={() => void settings.refetch()} />}
      {settings.data && (
        <Groups settings={settings.data.items} q={q ?? ''} onShowAll={() => search('')} />
      )}
    </Page>
  );
}

interface GroupsProps {
  readonly settings: readonly Setting[];
  readonly q: string;
  readonly onShowAll: () => void;
}

function Groups({ settings, q, onShowAll }: GroupsProps) {
  const texts = useMessages(SETTINGS_MESSAGES);
  const { isOwner, isAdministrator } = useRights();
  const { nameOf, descriptionOf } = useSettingTexts();
  const wanted = q.trim().toLowerCase();
  const fitting = settings.filter((setting) =>
    [nameOf(setting), descriptionOf(setting), setting.key].some((text) =>
      text.toLowerCase().includes(wanted),
    ),
  );
  const chip = { key: 'q', text: q, removeText: texts.removeFilter(q), onRemove: onShowAll };
  if (fitting.length === 0) {
    return (
      <Empty
        title={texts.nothing}
        text={texts.nothingText}
        action={<Chips label={texts.filters} chips={[chip]} />}
      />
    );
  }
  return (
    <Panels>
      {!isOwner && <Notice>{texts.onlyOwners}</Notice>}
      {groupSettings(fitting).map((group) => (
        <GroupPanel key={group.name} group={group} settings={settings}>
          {(setting) => (
            <SettingField
              key={setting.key}
              setting={setting}
              canChange={setting.scope === 'system' ? isAdministrator : isOwner}
            />
          )}
        </GroupPanel>
      ))}
    </Panels>
  );
}

interface GroupPanelProps {
  readonly group: Group;
  readonly settings: readonly Setting[];
  readonly children: (setting: Setting) => React.ReactNode;
}

function GroupPanel({ group: { name, settings: own }, settings, children }: GroupPanelProps) {
  const texts = useMessages(SETTINGS_MESSAGES);
  const crossing = name === 'recognition' ? crossingOf(settings) : null;
  const hasInstallation = own.some(({ scope }) => scope === 'system');
  return (
    <Panel title={texts[name]} text={hasInstallation ? installationText(texts) : undefined}>
      {crossing !== null && <Notice look="warn">{texts[crossing]}</Notice>}
      <div className={styles.settings}>{own.map(children)}</div>
    </Panel>
  );
}

function installationText(texts: { installation: string; installationText: string }): string {
  return `${texts.installation}: ${texts.installationText}`;
}
