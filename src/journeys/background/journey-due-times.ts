import { Injectable } from '@nestjs/common';
import { DueTimes } from '../../platform/index.js';
import { ServiceSettings } from '../../settings/index.js';
import {
  idleTimes,
  LINK_REQUEST_TIMES,
  MILESTONE_TIMES,
  OFFER_TIMES,
  ORPHAN_TIMES,
} from '../store/journey-times.js';
import { AbandonmentTasks } from './abandonment.tasks.js';
import { MilestoneTextsTasks } from './milestone-texts.tasks.js';
import { OfferDeadlinesTasks } from './offer-deadlines.tasks.js';
import { OrphanedActionsTasks } from './orphaned-actions.tasks.js';

/** For the sandbox's time travel. */
@Injectable()
export class JourneyDueTimes {
  constructor(
    times: DueTimes,
    settings: ServiceSettings,
    abandonment: AbandonmentTasks,
    deadlines: OfferDeadlinesTasks,
    orphans: OrphanedActionsTasks,
    texts: MilestoneTextsTasks,
  ) {
    const idle = async () => idleTimes((await settings.operating()).abandonAfterDays);
    times.watch(
      { times: idle, run: () => abandonment.run() },
      { times: OFFER_TIMES, run: () => deadlines.run() },
      { times: ORPHAN_TIMES, run: () => orphans.run() },
      { times: MILESTONE_TIMES, run: () => texts.run() },
      { times: LINK_REQUEST_TIMES },
    );
  }
}
