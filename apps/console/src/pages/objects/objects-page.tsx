import { getRouteApi, Link } from '@tanstack/react-router';
import { useRead } from '../../client/api-context.tsx';
import { Page } from '../../frame/page.tsx';
import { Empty, Loading } from '../../frame/page-state.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { ActiveFilters, FilterBar } from '../../ui/filters.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Select } from '../../ui/select.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { ClassTile } from './class-tile.tsx';
import { LookedFor } from './looked-for.tsx';
import styles from './objects.module.css';
import { OBJECTS_MESSAGES } from './objects-messages.ts';
import type { ObjectsSearch } from './objects-search.ts';
import { type ObjectClass, shownClasses } from './shown-classes.ts';

const route = getRouteApi('/$environment/objects');

/** The classes of the objects that were found, and what models look for. */
export function ObjectsPage() {
  const texts = useMessages(OBJECTS_MESSAGES);
  const formats = useFormats();
  const classes = useRead('listObjectClasses');
  const items = classes.data?.items;
  return (
    <Page title={texts.title} count={items && formats.number(items.length)}>
      <div className={styles.body}>
        <LookedFor />
        {classes.isPending && <Loading />}
        {classes.error && <Failure error={classes.error} onRetry={() => void classes.refetch()} />}
        {items?.length === 0 && <NoObjects />}
        {items !== undefined && items.length > 0 && <Classes classes={items} />}
      </div>
    </Page>
  );
}

function NoObjects() {
  const texts = useMessages(OBJECTS_MESSAGES);
  const { environment } = route.useParams();
  return (
    <Empty
      title={texts.emptyTitle}
      text={texts.emptyText}
      action={
        <Link to="/$environment/upload" params={{ environment }} className={buttonClass('primary')}>
          {texts.upload}
        </Link>
      }
    />
  );
}

function Classes({ classes }: { readonly classes: readonly ObjectClass[] }) {
  const texts = useMessages(OBJECTS_MESSAGES);
  const search = route.useSearch();
  const { environment } = route.useParams();
  const shown = shownClasses(classes, search);
  return (
    <Panel title={texts.classes}>
      <ClassFilters />
      {shown.length === 0 && <NoMatch />}
      <ul className={styles.tiles}>
        {shown.map((each) => (
          <li key={each.class_name}>
            <ClassTile objectClass={each} environment={environment} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function useChange(): (changed: ObjectsSearch) => void {
  const navigate = route.useNavigate();
  return (changed) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true });
}

function ClassFilters() {
  const texts = useMessages(OBJECTS_MESSAGES);
  const { q, sort } = route.useSearch();
  const change = useChange();
  return (
    <FilterBar>
      <TextInput
        label={texts.search}
        value={q ?? ''}
        onChange={(text) => change({ q: text === '' ? undefined : text })}
      />
      <Select
        label={texts.sort}
        options={[
          { value: 'count', text: texts.sortCount },
          { value: 'name', text: texts.sortName },
        ]}
        value={sort ?? 'count'}
        onChange={(chosen) => change({ sort: chosen === 'name' ? chosen : undefined })}
      />
    </FilterBar>
  );
}

function NoMatch() {
  const texts = useMessages(OBJECTS_MESSAGES);
  const { q = '' } = route.useSearch();
  const change = useChange();
  const remove = () => change({ q: undefined });
  return (
    <>
      <ActiveFilters filters={[{ key: 'q', text: q, onRemove: remove }]} />
      <Empty
        title={texts.noneTitle}
        text={texts.noneText}
        action={<Button onPress={remove}>{texts.clear}</Button>}
      />
    </>
  );
}
