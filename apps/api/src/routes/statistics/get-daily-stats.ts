import { getDailyStatsContract } from '@sightline/contracts/statistics/get-daily-stats-contract';
import type { DayCounts } from '@sightline/core/statistics/statistics-store';
import { defineRoute } from '../../http/define-route.ts';

export const getDailyStatsRoute = defineRoute(getDailyStatsContract, {
  async handler({ database }, { query, scope, signal }) {
    const days = await database.withScope(
      scope,
      ({ statistics }) => statistics.days(query.days),
      signal,
    );
    return { status: 200, body: { items: days.map(presentDay) } };
  },
});

function presentDay(day: DayCounts) {
  return {
    date: day.date,
    images: day.images,
    faces: day.faces,
    objects: day.objects,
    confirmed_automatic: day.confirmedAutomatic,
    confirmed_human: day.confirmedHuman,
    rejected: day.rejected,
    enrolled: day.enrolled,
  };
}
