import { Controller, Get } from '@nestjs/common';
import {
  HostedJourneys,
  type HostedJourneyView,
  type HostedSessionValue,
  ShownComparisons,
} from '../../journeys/index.js';
import { enteredIn, FormPost, Page, SeeOther } from '../../platform/index.js';
import { shortName } from '../offers/offer-card.js';
import { furtherComplaint } from '../steps/further-complaint.js';
import { isFault } from '../steps/step-pages.js';
import { CURRENT_SCREEN, readAt, requireStamp, ScreenRedirect } from './current-screen.js';
import { goldRows, leftBehind, owedIn, stoppedPage, stopRows } from './left-behind.js';
import { adviceRows, rejectionTexts } from './rejection-texts.js';
import { CurrentVisit, SignedIn, type Visit } from './signed-in.js';

@Controller('hosted')
@SignedIn()
export class EndedController {
  constructor(
    private readonly hosted: HostedJourneys,
    private readonly comparisons: ShownComparisons,
  ) {}

  @Get('rejected')
  async rejected(@CurrentVisit() { session, language }: Visit): Promise<Page> {
    const view = await readAt(this.hosted, session, '/hosted/rejected');
    await this.comparisons.toApplicant(view, language);
    const left = await leftBehind(this.hosted, session, language);
    const texts = rejectionTexts(view.outcomeReason);
    const offer = view.selected?.offer;
    const called = offer ? shortName(offer) : '';
    return new Page('entry/rejected', {
      titleKey: texts.titleKey,
      reasonKey: texts.reasonKey,
      called,
      owed: owedIn(left, language),
      advice: [
        ...left.paidFee,
        ...goldRows(left.walkOut, language),
        ...adviceRows(texts, called, language),
      ],
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
  async abandoned(@CurrentVisit() { session, language }: Visit): Promise<Page> {
    const view = await readAt(this.hosted, session, '/hosted/abandoned');
    const left = await leftBehind(this.hosted, session, language);
    return stoppedPage(howEnded(view), view.returnUrl, left, view.isConfirmed, language);
  }
}

function howEnded({ outcomeReason }: HostedJourneyView): Parameters<typeof stoppedPage>[0] {
  if (outcomeReason === 'CONSENT_WITHDRAWN') return 'stopped';
  return outcomeReason === 'PAYMENT_EXPIRED' ? 'unpaid' : 'closed';
}

@Controller('hosted/stop')
@SignedIn()
export class StopController {
  constructor(private readonly hosted: HostedJourneys) {}

  @Get()
  async show(@CurrentVisit() { session, language }: Visit): Promise<Page> {
    const view = await this.read(session);
    const left = await leftBehind(this.hosted, session, language);
    return new Page('entry/stop', {
      titleKey: 'entry.stop.title',
      rows: stopRows(left, view.isConfirmed, language),
      mandates: left.mandates,
      keepHref: CURRENT_SCREEN,
      shown: view.stamp,
      mayChooseAnother: view.offerChange === 'OPEN',
    });
  }

  @FormPost()
  async stop(@CurrentVisit() { session, request }: Visit): Promise<SeeOther> {
    const view = await this.read(session);
    requireStamp(view, enteredIn(request).shown);
    try {
      await this.hosted.stop(session);
    } catch (error) {
      if (isFault(error, 'action_in_flight')) throw new ScreenRedirect('/hosted/moment');
      throw error;
    }
    return new SeeOther(CURRENT_SCREEN);
  }

  /** @throws ScreenRedirect when the journey can no longer be stopped */
  private async read(session: HostedSessionValue): Promise<HostedJourneyView> {
    const view = await this.hosted.read(session);
    if (!view.mayStop) throw new ScreenRedirect(CURRENT_SCREEN);
    return view;
  }
}
