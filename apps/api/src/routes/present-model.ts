import type { Health } from '@sightline/contracts/discovery/health-contract';
import type { ActiveModel } from '@sightline/core/models/model';
import type { z } from 'zod';

/** How a model is named in answers. */
export function presentModel({
  task,
  name,
  revision,
}: ActiveModel): z.input<typeof Health>['models'][number] {
  // Models come from a folder; there are no records of them that would have an id.
  return { task, name, id: null, revision };
}
