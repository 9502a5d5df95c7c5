import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { usePages } from '../../client/use-pages.ts';
import { Page } from '../../frame/page.tsx';
import { Empty } from '../../frame/page-state.tsx';
import { isForbidden, ReadState } from '../../frame/read-state.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { type ActiveFilter, ActiveFilters } from '../../ui/filters.tsx';
import { Table } from '../../ui/table.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { AUDIT_MESSAGES } from './audit-messages.ts';
import { type AuditSearch, type Filter, FILTERS, toAuditQuery } from './audit-search.ts';
import styles from './audit.module.css';
import { ExportButton } from './export-button.tsx';
import { type AuditEntry, useAuditTexts } from './use-audit-texts.ts';

const route = getRouteApi('/$environment/audit');

/** The recorded actions, newest first. */
export function AuditPage() {
  const texts = useMessages(AUDIT_MESSAGES);
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/$environment/audit' });
  const { actorName } = useAuditTexts();
  const query = toAuditQuery(search);
  const pages = usePages('listAudit', { query });
  const change = (changed: Partial<AuditSearch>) =>
    void navigate({ search: (now) => ({ ...now, ...changed }), replace: true });
  const filters = useActiveFilters(search, change);
  return (
    <Page
      title={texts.title}
      actions={
        isForbidden(pages.error) ? undefined : <ExportButton query={query} actorName={actorName} />
      }
    >
      <div className={styles.content}>
        <AuditFilters search={search} onChange={change} />
        <ActiveFilters filters={filters} />
        <ReadState
          data={pages.items}
          error={pages.error}
          onRetry={pages.retry}
          forbiddenText={texts.needsOwner}
        >
          {(entries) => (
            <>
              <Entries entries={entries} isFiltered={filters.length > 0} />
              {pages.hasMore && (
                <Button isDisabled={pages.isReadingMore} onPress={pages.readMore}>
                  {texts.more}
                </Button>
              )}
            </>
          )}
        </ReadState>
      </div>
    </Page>
  );
}

interface EntriesProps {
  readonly entries: readonly AuditEntry[];
  readonly isFiltered: boolean;
}

function Entries({ entries, isFiltered }: EntriesProps) {
  const texts = useMessages(AUDIT_MESSAGES);
  if (entries.length > 0) return <AuditTable entries={entries} />;
  if (isFiltered) return <Empty title={texts.nothing} text={texts.nothingText} />;
  return <Empty title={texts.none} text={texts.noneText} />;
}

/** The filters that are set, each of which can be removed. */
function useActiveFilters(
  search: AuditSearch,
  onChange: (change: Partial<AuditSearch>) => void,
): readonly ActiveFilter[] {
  const texts = useMessages(AUDIT_MESSAGES);
  const formats = useFormats();
  const { entityName, actionName, personName } = useAuditTexts();
  const day = (text: string) => formats.date(`${text}T00:00`);
  const describe: Readonly<Record<Filter, (value: string) => string>> = {
    kind: (value) => `${texts.what}: ${entityName(value)}`,
    action: (value) => `${texts.action}: ${actionName(value)}`,
    person: (value) => `${texts.person}: ${personName(value)}`,
    key: texts.keyNumber,
    entity: (value) => `${texts.entity}: ${value}`,
    since: (value) => `${texts.since}: ${day(value)}`,
    until: (value) => `${texts.until}: ${day(value)}`,
  };
  return FILTERS.flatMap((name) => {
    const value = search[name];
    if (value === undefined) return [];
    const text = describe[name](String(value));
    return { key: name, text, onRemove: () => onChange({ [name]: undefined }) };
  });
}

function AuditTable({ entries }: { readonly entries: readonly AuditEntry[] }) {
  const texts = useMessages(AUDIT_MESSAGES);
  const formats = useFormats();
  const { actorName, actionName, entityName, idsText } = useAuditTexts();
  return (
    <Table
      label={texts.title}
      columns={[texts.time, texts.actor, texts.action, texts.entities, texts.details]}
    >
      {entries.map((entry) => (
        <tr key={entry.id}>
          <th scope="row">{formats.dateTime(entry.at)}</th>
          <td>{actorName(entry)}</td>
          <td>
            {entityName(entry.entity_type)} {actionName(entry.action)}
          </td>
          <td>
            <bdi>{idsText(entry)}</bdi>
          </td>
          <td>
            <details>
              <summary>{texts.showDetails}</summary>
              <pre className={styles.details}>{JSON.stringify(entry.details, null, 2)}</pre>
              {entry.request_id !== null && <code>{texts.request(entry.request_id)}</code>}
            </details>
          </td>
        </tr>
      ))}
    </Table>
  );
}
