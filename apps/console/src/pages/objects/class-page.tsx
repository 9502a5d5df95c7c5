import { getRouteApi, Link } from '@tanstack/react-router';
import { useRead } from '../../client/api-context.tsx';
import { Page } from '../../frame/page.tsx';
import { Empty, Loading } from '../../frame/page-state.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Panel } from '../../ui/panel.tsx';
import { fromClassPath } from './class-path.ts';
import styles from './objects.module.css';
import { OBJECTS_MESSAGES } from './objects-messages.ts';

const route = getRouteApi('/$environment/objects/$class');

/** The number of images that the page shows; the page of images has all of them. */
const SHOWN = 12;

/** One class of objects, with its newest images. */
export function ClassPage() {
  const texts = useMessages(OBJECTS_MESSAGES);
  const formats = useFormats();
  const { environment, class: part } = route.useParams();
  const name = fromClassPath(part);
  const classes = useRead('listObjectClasses');
  const found = classes.data?.items.find((each) => each.class_name === name);
  return (
    <Page
      title={name}
      count={found && texts.objects(formats.number(found.detection_count))}
      actions={
        <>
          <Link to="/$environment/objects" params={{ environment }} className={buttonClass()}>
            {texts.allClasses}
          </Link>
          {found && (
            <Link
              to="/$environment/images"
              params={{ environment }}
              search={{ class_name: name }}
              className={buttonClass('primary')}
            >
              {texts.images}
            </Link>
          )}
        </>
      }
    >
      <div className={styles.body}>
        {classes.isPending && <Loading />}
        {classes.error && <Failure error={classes.error} onRetry={() => void classes.refetch()} />}
        {classes.data && !found && <Empty title={texts.noneOfClass} text={texts.noneOfClassText} />}
        {found && <NewestImages name={name} />}
      </div>
    </Page>
  );
}

function NewestImages({ name }: { readonly name: string }) {
  const texts = useMessages(OBJECTS_MESSAGES);
  const { environment } = route.useParams();
  const images = useRead('listImages', { query: { class_name: name, limit: SHOWN } });
  return (
    <Panel title={texts.newest}>
      {images.isPending && <Loading />}
      {images.error && <Failure error={images.error} onRetry={() => void images.refetch()} />}
      <ul className={styles.tiles}>
        {images.data?.items.map(({ id, source_image_url: url }) => (
          <li key={id}>
            <Link
              to="/$environment/images/$image"
              params={{ environment, image: String(id) }}
              className={styles.photo}
            >
              <img
                src={`${url}?w=384`}
                alt={texts.imageOf(String(id), name)}
                loading="lazy"
                decoding="async"
              />
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
