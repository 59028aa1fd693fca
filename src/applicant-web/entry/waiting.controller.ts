import { Controller, Get } from '@nestjs/common';
import { HostedJourneys, type HostedLender } from '../../journeys/index.js';
import { FEWEST_COMPARED } from '../../lenders/index.js';
import { enteredIn, FormPost, Page, SeeOther, translate } from '../../platform/index.js';
import { questionOf } from '../question-count.js';
import { readAt, requireStamp, stopHref } from './current-screen.js';
import { CURRENT_SCREEN } from './screen-redirect.js';
import { CurrentVisit, SignedIn, type Visit } from './signed-in.js';

const LENDER_STATUSES: Readonly<Record<HostedLender['status'], string>> = {
  WAITING: 'entry.waiting.asked',
  OFFERED: 'entry.waiting.offered',
  NO_OFFER: 'entry.waiting.noOffer',
  NO_ANSWER: 'entry.waiting.noAnswer',
  UNREACHABLE: 'entry.waiting.unreachable',
  OFFER_REFUSED: 'entry.waiting.noOffer',
};

const HAVE_ANSWERED: ReadonlySet<HostedLender['status']> = new Set(['OFFERED', 'NO_OFFER']);

@Controller('hosted/waiting')
@SignedIn()
export class WaitingController {
  constructor(private readonly hosted: HostedJourneys) {}

  @Get()
  async show(@CurrentVisit() { session, language }: Visit): Promise<Page> {
    const view = await readAt(this.hosted, session, '/hosted/waiting');
    const offers = view.offers.filter(({ isValid }) => isValid).length;
    return new Page('entry/waiting', {
      titleKey: 'entry.waiting.title',
      // The next question is the offers'.
      question: questionOf(view, 'offers'),
      refreshSeconds: view.pollIntervalSeconds,
      stopHref: stopHref(view),
      isAskedAgain: view.offerRound > 1,
      leaveKey: 'entry.waiting.leave',
      nowPath: '/hosted/waiting/offers',
      shown: view.stamp,
      offersNow: offers < FEWEST_COMPARED ? null : offers,
      answered: view.lenders.filter(({ status }) => HAVE_ANSWERED.has(status)).length,
      asked: view.lenders.length,
      lenders: view.lenders.map(({ name, status }) => ({
        name,
        standing: translate(language, LENDER_STATUSES[status]),
        hasOffer: status === 'OFFERED',
        isAwaited: status === 'WAITING' || status === 'UNREACHABLE',
      })),
    });
  }

  @FormPost('offers')
  async openOffers(@CurrentVisit() { session, request }: Visit): Promise<SeeOther> {
    requireStamp(await this.hosted.read(session), enteredIn(request).shown);
    await this.hosted.openOffers(session);
    return new SeeOther(CURRENT_SCREEN);
  }
}
