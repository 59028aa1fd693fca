import { Controller, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { OpenRedirectService } from '../journeys/index.js';
import { AnswersWithScreens, LeaveTo, Page, SeeOther } from '../platform/index.js';
import { isVisit } from './is-visit.js';

/** Our own stable links to the providers' pages, and the page for applicants without an app. */
@Controller()
@AnswersWithScreens()
export class RedirectController {
  constructor(private readonly redirects: OpenRedirectService) {}

  /**
   * Opens the provider's session for somebody who comes, and takes them there. Whoever merely looks
   * (a preview, a HEAD, a page fetched ahead of time) gets a page with a button, which opens nothing.
   */
  @Get('r/:token')
  async visit(@Param('token') token: string, @Req() request: Request): Promise<Page | SeeOther> {
    if (isVisit(request)) return new SeeOther(await this.destination(token));
    this.redirects.recognise(token);
    return new Page('redirect', { titleKey: 'kfs.redirect.title' });
  }

  /** The button. It needs no form token: the link itself is what it takes, here as on a visit. */
  @Post('r/:token')
  @HttpCode(200)
  async goOn(@Param('token') token: string): Promise<LeaveTo> {
    const url = await this.destination(token);
    return new LeaveTo(url, new URL(url).hostname);
  }

  @Get('returned')
  returned(): Page {
    return new Page('returned', { titleKey: 'common.returned.title' });
  }

  private async destination(token: string): Promise<string> {
    const visit = await this.redirects.visit(token);
    return visit.kind === 'PROVIDER' ? visit.url : visit.returnUrl;
  }
}
