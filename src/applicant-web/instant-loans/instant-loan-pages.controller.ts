import { Controller, Get, Param, Post } from '@nestjs/common';
import { InstantLoanPages, isToPay } from '../../instant-loans/index.js';
import {
  AnswersWithScreens,
  CsrfProtected,
  Fault,
  type Language,
  LeaveTo,
  Page,
  PageLanguage,
  SeeOther,
  translate,
} from '../../platform/index.js';
import { payScreen, statusScreen } from './instant-loan-screens.js';

/**
 * The pages of an instant loan, for whoever has its link: what it costs and the way to the payment,
 * and afterwards how it stands. The link names no person, and the pages show none.
 */
@Controller('pay')
@AnswersWithScreens()
export class InstantLoanPagesController {
  constructor(private readonly pages: InstantLoanPages) {}

  /** Looking changes nothing: a preview of the link in a messenger orders no payment. */
  @Get(':token')
  async show(
    @Param('token') token: string,
    @PageLanguage() language: Language,
  ): Promise<Page | SeeOther> {
    const view = found(await this.pages.view(token, language));
    if (!isToPay(view)) return new SeeOther(`${view.payPath}/done`);
    return new Page('instant-loans/pay', payScreen(view));
  }

  @Post(':token')
  @CsrfProtected()
  async pay(
    @Param('token') token: string,
    @PageLanguage() language: Language,
  ): Promise<Page | SeeOther | LeaveTo> {
    const visit = found(await this.pages.pay(token, language));
    if (visit.kind === 'GATEWAY') {
      return new LeaveTo(visit.url, translate(language, 'instant.gateway'));
    }
    const view = found(await this.pages.view(token, language));
    if (visit.kind === 'NOTHING_TO_PAY') return new SeeOther(`${view.payPath}/done`);
    return new Page('instant-loans/pay', { ...payScreen(view), isUnavailable: true }, 503);
  }

  @Get(':token/done')
  async done(@Param('token') token: string): Promise<Page> {
    const view = found(await this.pages.returned(token));
    return new Page('instant-loans/status', statusScreen(view));
  }
}

/** @throws Fault link_not_found */
function found<Something>(something: Something | null): Something {
  if (something === null) throw new Fault('link_not_found');
  return something;
}
