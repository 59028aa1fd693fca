import { Controller, Get, Res, UseFilters } from '@nestjs/common';
import type { Request, Response } from 'express';
import { PagePartners } from '../../auth/index.js';
import { CodeSignIn, ENTRY_LIMITS, HostedEntrance, type LinkState } from '../../journeys/index.js';
import type { Paise } from '../../loans/index.js';
import {
  AnswersWithScreens,
  formatRupees,
  FormPost,
  nameOnPages,
  Page,
  say,
  SeeOther,
  type Shown,
} from '../../platform/index.js';
import { amountModel, readAmount } from './amount-form.js';
import { BrowserSessions } from './browser-sessions.js';
import { CURRENT_SCREEN, ScreenRedirect, ScreenRedirectFilter } from './current-screen.js';
import { CurrentLink, type LinkVisit } from './signed-in.js';

const SPENT: Record<'USED' | 'EXPIRED', string> = {
  USED: 'entry.used.title',
  EXPIRED: 'entry.expired.title',
};

const AGAIN: Record<'BEGUN' | 'OVER', string> = {
  BEGUN: 'entry.begun.title',
  OVER: 'entry.over.title',
};

/** Only the button uses a single-use link up, so that previews and scanners do no harm. */
@Controller('hosted/start')
@UseFilters(ScreenRedirectFilter)
@AnswersWithScreens()
export class StartController {
  constructor(
    private readonly entrance: HostedEntrance,
    private readonly browsers: BrowserSessions,
    private readonly signIn: CodeSignIn,
    private readonly partners: PagePartners,
  ) {}

  @Get(':token')
  async show(@CurrentLink() { token, request }: LinkVisit): Promise<Page> {
    const link = await this.entrance.stateOf(token);
    if (!link) return unknownLink();
    nameOnPages(request, () => this.partners.of(link.key.partnerId));
    if (await this.isInside(request, link)) throw new ScreenRedirect(CURRENT_SCREEN);
    if (link.status !== 'FRESH') {
      const titleKey = SPENT[link.status];
      return new Page('entry/expired', { titleKey, link: token, linkTime: linkTime() }, 410);
    }
    if (link.journey !== 'NEW') {
      return new Page('entry/start-again', { titleKey: AGAIN[link.journey] });
    }
    return startPage(link);
  }

  /** A wrong amount does not use the link up. */
  @FormPost(':token')
  async enter(
    @CurrentLink() { token, language, request }: LinkVisit,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Page | SeeOther> {
    const link = await this.entrance.stateOf(token);
    let amount: Paise | null = null;
    if (link?.status === 'FRESH' && link.amount) {
      const read = readAmount(request, link.amount);
      if (typeof read !== 'number') {
        nameOnPages(request, () => this.partners.of(link.key.partnerId));
        return startPage(link, read);
      }
      amount = read;
    }
    const entered = await this.entrance.enter(token, this.browsers.markOf(request), amount);
    // The link's page says what has happened.
    if (!entered) throw new ScreenRedirect(request.path);
    this.browsers.give(response, entered.token);
    const address = this.browsers.addressOf(request);
    await this.signIn.send(entered.session, null, language, address);
    return new SeeOther('/hosted/code');
  }

  /** The applicant has pressed the button or gone back. */
  private async isInside(request: Request, { status, key }: LinkState): Promise<boolean> {
    const session = await this.browsers.of(request);
    if (session?.journeyId !== key.journeyId) return false;
    return session.isVerified || status !== 'FRESH';
  }
}

function linkTime(): Shown {
  return say('common.offer.days', { count: ENTRY_LIMITS.linkDays });
}

function unknownLink(): Page {
  const model = {
    titleKey: 'common.fault.link.title',
    textKey: 'entry.unknown.text',
    asksForMobile: true,
  };
  return new Page('entry/link', model, 404);
}

const NEEDS = [
  { mark: 'clock', key: 'entry.start.time', noteKey: 'entry.start.time.note' },
  { mark: 'phone', key: 'entry.start.phone', noteKey: 'entry.start.phone.note' },
  { mark: 'id', key: 'entry.start.identity' },
  { mark: 'bank', key: 'entry.start.bank' },
];

/** Asks for the amount when the partner sent none. */
function startPage(
  { amount, loanAmount }: Pick<LinkState, 'amount' | 'loanAmount'>,
  more: object = {},
): Page {
  return new Page('entry/start', {
    titleKey: 'entry.start.title',
    titleValues: { amount: formatRupees(loanAmount) },
    amount: formatRupees(loanAmount),
    needs: NEEDS.map(({ mark, key, noteKey }) => ({
      mark,
      text: say(key),
      note: noteKey && say(noteKey),
    })),
    ...(amount && amountModel(amount)),
    ...more,
  });
}
