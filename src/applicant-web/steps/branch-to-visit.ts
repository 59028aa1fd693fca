import type { HostedJourneyView } from '../../journeys/index.js';
import type { Language } from '../../platform/index.js';
import { mapUrl } from './map-url.js';
import { openingHours } from './opening-hours.js';

type Branch = NonNullable<NonNullable<HostedJourneyView['selected']>['branch']>;

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
