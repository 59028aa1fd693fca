import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { InstantLoanPages, type InstantLoanView } from '../../instant-loans/index.js';
import { CsrfProtected, Fault, Screens, translate } from '../../platform/index.js';
import { payScreen, statusScreen } from './instant-loan-screens.js';

/**
 * The pages of an instant loan, for whoever has its link: what it costs and the way to the payment,
 * and afterwards how it stands. The link names no person, and the pages show none.
 */
@Controller('pay')
export class InstantLoanPagesController {
  constructor(
    private readonly pages: InstantLoanPages,
    private readonly screens: Screens,
  ) {}

  /** Looking changes nothing: a preview of the link in a messenger orders no payment. */
  @Get(':token')
  async show(
    @Param('token') token: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const view = found(await this.pages.view(token));
    if (!isToPay(view)) return response.redirect(303, `${view.payPath}/done`);
    await this.screens.render(request, response, 'instant-loans/pay', payScreen(view));
  }

  @Post(':token')
  @CsrfProtected()
  async pay(
    @Param('token') token: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const visit = found(await this.pages.pay(token));
    if (visit.kind === 'GATEWAY') {
      const to = translate(this.screens.languageOf(request), 'instant.gateway');
      return this.screens.leave(request, response, visit.url, to);
    }
    const view = found(await this.pages.view(token));
    if (visit.kind === 'NOTHING_TO_PAY') return response.redirect(303, `${view.payPath}/done`);
    response.status(503);
    const screen = { ...payScreen(view), isUnavailable: true };
    await this.screens.render(request, response, 'instant-loans/pay', screen);
  }

  @Get(':token/done')
  async done(
    @Param('token') token: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const view = found(await this.pages.returned(token));
    await this.screens.render(request, response, 'instant-loans/status', statusScreen(view));
  }
}

function isToPay({ place }: InstantLoanView): boolean {
  return place === 'TO_PAY' || place === 'TO_PAY_AGAIN';
}

/** @throws Fault link_not_found */
function found<Something>(something: Something | null): Something {
  if (something === null) throw new Fault('link_not_found');
  return something;
}
