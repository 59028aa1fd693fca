import { Controller, Get, Param, Req, UseFilters } from '@nestjs/common';
import type { Request } from 'express';
import { FeePayments } from '../../instant-loans/index.js';
import { isLinkedStep, isRedirectStep } from '../../journey-steps/index.js';
import { HostedChoices, type HostedLender, HostedVisits } from '../../journeys/index.js';
import { FEWEST_COMPARED } from '../../lenders/index.js';
import {
  AnswersWithScreens,
  Clock,
  Fault,
  FormPost,
  Page,
  say,
  SeeOther,
} from '../../platform/index.js';
import {
  CURRENT_SCREEN,
  questionOf,
  requireStamp,
  screenOf,
  ScreenRedirect,
  ScreenRedirectFilter,
  stopHref,
  TO_CURRENT_SCREEN,
} from './current-screen.js';
import { BrowserSessions } from './browser-sessions.js';
import {
  AnyJourney,
  JourneyHere,
  type JourneyVisit,
  SignedIn,
  signedInSession,
} from './signed-in.js';

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
  constructor(private readonly choices: HostedChoices) {}

  @Get()
  show(@JourneyHere() { view }: JourneyVisit): Page {
    const offers = view.offers.filter(({ isValid }) => isValid).length;
    return new Page('entry/waiting', {
      titleKey: 'entry.waiting.title',
      // The offers page asks the next question.
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
        standing: say(LENDER_STATUSES[status]),
        hasOffer: status === 'OFFERED',
        isAwaited: status === 'WAITING' || status === 'UNREACHABLE',
      })),
    });
  }

  @FormPost('offers')
  async openOffers(@AnyJourney() visit: JourneyVisit): Promise<SeeOther> {
    requireStamp(visit);
    await this.choices.openOffers(visit.session);
    return TO_CURRENT_SCREEN;
  }
}

const RELOAD_SECONDS = 1;

@Controller(CURRENT_SCREEN)
@SignedIn()
export class HomeController {
  constructor(private readonly clock: Clock) {}

  @Get()
  whereAmI(@AnyJourney() { view }: JourneyVisit): SeeOther {
    return new SeeOther(screenOf(view));
  }

  /** A repeated press waits here while the first is recorded. */
  @Get('moment')
  moment(@AnyJourney() { view: { leaseUntil } }: JourneyVisit): Page {
    const isOver = leaseUntil === null || leaseUntil <= this.clock.now();
    if (isOver) throw new ScreenRedirect(CURRENT_SCREEN);
    return new Page('entry/moment', {
      titleKey: 'entry.moment.title',
      refreshSeconds: RELOAD_SECONDS,
    });
  }
}

/** Asks the provider, since a return proves nothing. */
@Controller('hosted/returned')
@UseFilters(ScreenRedirectFilter)
@AnswersWithScreens()
export class ReturnedController {
  constructor(
    private readonly browsers: BrowserSessions,
    private readonly visits: HostedVisits,
    private readonly fees: FeePayments,
  ) {}

  @Get(':step')
  async returned(@Param('step') given: string, @Req() request: Request): Promise<Page | SeeOther> {
    if (!isLinkedStep(given)) throw new Fault('route_not_found');
    // A provider's app may open a browser that is not signed in.
    if (this.browsers.tokenOf(request) === null) {
      return new Page('entry/elsewhere', { titleKey: 'entry.elsewhere.title' });
    }
    const session = await signedInSession(this.browsers, request);
    await (isRedirectStep(given)
      ? this.visits.returned(session, given)
      : this.fees.returned(session));
    return TO_CURRENT_SCREEN;
  }
}
