import { Controller, Get } from '@nestjs/common';
import { HostedJourneys, type HostedLender } from '../../journeys/index.js';
import { type Language, Page, PageLanguage, translate } from '../../platform/index.js';
import { questionOf } from '../question-count.js';
import { requireScreen, stopHref } from './current-screen.js';
import { HostedSession, type HostedSessionValue, SignedIn } from './signed-in.js';

const LENDER_STATUSES: Readonly<Record<HostedLender['status'], string>> = {
  WAITING: 'entry.waiting.asked',
  OFFERED: 'entry.waiting.offered',
  NO_OFFER: 'entry.waiting.noOffer',
  NO_ANSWER: 'entry.waiting.noAnswer',
  UNREACHABLE: 'entry.waiting.unreachable',
  OFFER_REFUSED: 'entry.waiting.noOffer',
};

const HAVE_ANSWERED: ReadonlySet<HostedLender['status']> = new Set(['OFFERED', 'NO_OFFER']);

/** While the lenders look at the application; the page updates itself, and moves on. */
@Controller('hosted/waiting')
@SignedIn()
export class WaitingController {
  constructor(private readonly hosted: HostedJourneys) {}

  @Get()
  async show(
    @HostedSession() session: HostedSessionValue,
    @PageLanguage() language: Language,
  ): Promise<Page> {
    const view = await this.hosted.read(session);
    requireScreen(view, '/hosted/waiting');
    return new Page('entry/waiting', {
      titleKey: 'entry.waiting',
      // The offers are next: their question is what the applicant waits for.
      question: questionOf(view, 'offers'),
      refreshSeconds: view.pollIntervalSeconds,
      stopHref: stopHref(view),
      isAskedAgain: view.offerRound > 1,
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
}
