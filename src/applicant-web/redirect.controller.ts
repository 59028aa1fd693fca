import { Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { OpenRedirectService } from '../journeys/index.js';
import { Screens } from '../platform/index.js';
import { isVisit } from './is-visit.js';

/** Our own stable links to the providers' pages, and the page for applicants without an app. */
@Controller()
export class RedirectController {
  constructor(
    private readonly redirects: OpenRedirectService,
    private readonly screens: Screens,
  ) {}

  /**
   * Opens the provider's session for somebody who comes, and takes them there. Whoever merely looks
   * (a preview, a HEAD, a page fetched ahead of time) gets a page with a button, which opens nothing.
   */
  @Get('r/:token')
  async visit(
    @Param('token') token: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    if (isVisit(request)) {
      response.redirect(303, await this.destination(token));
      return;
    }
    this.redirects.recognise(token);
    await this.screens.render(request, response, 'redirect', { titleKey: 'kfs.redirect.title' });
  }

  /** The button. It needs no form token: the link itself is what it takes, here as on a visit. */
  @Post('r/:token')
  @HttpCode(200)
  async goOn(
    @Param('token') token: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const url = await this.destination(token);
    await this.screens.leave(request, response, url, new URL(url).hostname);
  }

  @Get('returned')
  async returned(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.screens.render(request, response, 'returned', {
      titleKey: 'common.returned.title',
    });
  }

  private async destination(token: string): Promise<string> {
    const visit = await this.redirects.visit(token);
    return visit.kind === 'PROVIDER' ? visit.url : visit.returnUrl;
  }
}
