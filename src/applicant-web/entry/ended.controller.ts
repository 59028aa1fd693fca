import { Controller, Get } from '@nestjs/common';
import { type HostedJourneyView, HostedVisits, ShownComparisons } from '../../journeys/index.js';
import { FormPost, Page, type SeeOther } from '../../platform/index.js';
import { shortName } from '../offers/offer-card.js';
import { furtherComplaint } from '../steps/further-complaint.js';
import {
  CURRENT_SCREEN,
  requireStamp,
  ScreenRedirect,
  TO_CURRENT_SCREEN,
} from './current-screen.js';
import { goldRows, leftBehind, owedIn, stoppedPage, stopRows } from './left-behind.js';
import { adviceRows, rejectionTexts } from './rejection-texts.js';
import { AnyJourney, JourneyHere, type JourneyVisit, SignedIn } from './signed-in.js';

@Controller('hosted')
@SignedIn()
export class EndedController {
  constructor(
    private readonly visits: HostedVisits,
    private readonly comparisons: ShownComparisons,
  ) {}

  @Get('rejected')
  async rejected(@JourneyHere() { view, session, language }: JourneyVisit): Promise<Page> {
    await this.comparisons.toApplicant(view, language);
    const left = await leftBehind(this.visits, session);
    const texts = rejectionTexts(view.outcomeReason);
    const offer = view.selected?.offer;
    const called = offer ? shortName(offer) : '';
    return new Page('entry/rejected', {
      titleKey: texts.titleKey,
      reasonKey: texts.reasonKey,
      called,
      owed: owedIn(left),
      advice: [...left.paidFee, ...goldRows(left.walkOut), ...adviceRows(texts, called)],
      mandates: left.mandates,
      lenders: view.lenders.map(({ name }) => name),
      ...(offer && {
        lenderName: offer.lenderName,
        officer: offer.terms.grievanceOfficer,
        further: furtherComplaint(offer.terms),
      }),
      returnUrl: view.returnUrl,
    });
  }

  @Get('abandoned')
  async abandoned(@JourneyHere() { view, session }: JourneyVisit): Promise<Page> {
    const left = await leftBehind(this.visits, session);
    return stoppedPage(howEnded(view), view.returnUrl, left, view.isConfirmed);
  }
}

function howEnded({ outcomeReason }: HostedJourneyView): Parameters<typeof stoppedPage>[0] {
  if (outcomeReason === 'CONSENT_WITHDRAWN') return 'stopped';
  return outcomeReason === 'PAYMENT_EXPIRED' ? 'unpaid' : 'closed';
}

@Controller('hosted/stop')
@SignedIn()
export class StopController {
  constructor(private readonly visits: HostedVisits) {}

  @Get()
  async show(@AnyJourney() { view, session }: JourneyVisit): Promise<Page> {
    requireStoppable(view);
    const left = await leftBehind(this.visits, session);
    return new Page('entry/stop', {
      titleKey: 'entry.stop.title',
      rows: stopRows(left, view.isConfirmed),
      mandates: left.mandates,
      keepHref: CURRENT_SCREEN,
      shown: view.stamp,
      mayChooseAnother: view.offerChange === 'OPEN',
    });
  }

  @FormPost()
  async stop(@AnyJourney() visit: JourneyVisit): Promise<SeeOther> {
    requireStoppable(visit.view);
    requireStamp(visit);
    await this.visits.stop(visit.session);
    return TO_CURRENT_SCREEN;
  }
}

/** @throws ScreenRedirect when the journey can no longer be stopped */
function requireStoppable({ mayStop }: HostedJourneyView): void {
  if (!mayStop) throw new ScreenRedirect(CURRENT_SCREEN);
}
