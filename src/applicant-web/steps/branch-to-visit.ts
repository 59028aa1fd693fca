import type { HostedSelection } from '../../journeys/index.js';
import { formatClock, formatWeekday, type Language, translate } from '../../platform/index.js';
import { type OpeningHours, WEEKDAYS } from '../../settings/index.js';

export function openingHours(hours: readonly OpeningHours[] = [], language: Language): string[] {
  return hours.map(({ days, opens, closes }) =>
    translate(language, 'steps.branch.open', {
      days: daysInWords(days, language),
      opens: formatClock(language, opens),
      closes: formatClock(language, closes),
    }),
  );
}

/** Three or more consecutive days are written as a range. */
function daysInWords(days: OpeningHours['days'], language: Language): string {
  const runs: number[][] = [];
  for (const [place, day] of WEEKDAYS.entries()) {
    if (!days.includes(day)) continue;
    const last = runs.at(-1);
    if (last?.at(-1) === place - 1) last.push(place);
    else runs.push([place]);
  }
  const names = runs.flatMap((run) =>
    run.length < 3
      ? run.map((place) => formatWeekday(language, place))
      : [
          translate(language, 'steps.branch.days', {
            first: formatWeekday(language, run[0]),
            last: formatWeekday(language, run.at(-1)!),
          }),
        ],
  );
  return names.join(', ');
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
  readonly hours: readonly string[];
  readonly mapHref: string;
}

export function branchToVisit(branch: Branch, language: Language): BranchToVisit {
  return {
    name: branch.name,
    address: branch.address,
    hours: openingHours(branch.hours, language),
    mapHref: mapUrl(branch),
  };
}
