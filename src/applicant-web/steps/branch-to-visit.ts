import type { HostedSelection } from '../../journeys/index.js';
import {
  formatClock,
  formatWeekday,
  joined,
  PageText,
  say,
  type Shown,
} from '../../platform/index.js';
import { type OpeningHours, WEEKDAYS } from '../../settings/index.js';

export function openingHours(hours: readonly OpeningHours[] = []): Shown[] {
  return hours.map(({ days, opens, closes }) =>
    say('steps.branch.open', {
      days: daysInWords(days),
      opens: sayClock(opens),
      closes: sayClock(closes),
    }),
  );
}

function sayClock(time: string): Shown {
  return new PageText((language) => formatClock(language, time));
}

function sayWeekday(place: number): Shown {
  return new PageText((language) => formatWeekday(language, place));
}

/** Three or more consecutive days are written as a range. */
function daysInWords(days: OpeningHours['days']): Shown {
  const runs: number[][] = [];
  for (const [place, day] of WEEKDAYS.entries()) {
    if (!days.includes(day)) continue;
    const last = runs.at(-1);
    if (last?.at(-1) === place - 1) last.push(place);
    else runs.push([place]);
  }
  const names = runs.map((run) => {
    if (run.length < 3) return joined(run.map(sayWeekday), ', ');
    return say('steps.branch.days', { first: sayWeekday(run[0]), last: sayWeekday(run.at(-1)!) });
  });
  return joined(names, ', ');
}

interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/** Opens the phone's map; no map is embedded. */
export function mapUrl({ latitude, longitude }: Place): string {
  const url = new URL('https://www.google.com/maps/search/');
  url.searchParams.set('api', '1');
  url.searchParams.set('query', `${latitude},${longitude}`);
  return url.toString();
}

type Branch = NonNullable<HostedSelection['branch']>;

export interface BranchToVisit {
  readonly name: string;
  readonly address: string;
  readonly hours: readonly Shown[];
  readonly mapHref: string;
}

export function branchToVisit(branch: Branch): BranchToVisit {
  return {
    name: branch.name,
    address: branch.address,
    hours: openingHours(branch.hours),
    mapHref: mapUrl(branch),
  };
}
