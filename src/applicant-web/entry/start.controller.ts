import { Controller, Get, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CodeSignIn, HostedEntrance, type LinkStanding } from '../../journeys/index.js';
import { CsrfProtected, Screens } from '../../platform/index.js';
import { BrowserSessions } from './browser-sessions.js';
import { ScreenRedirect, ScreenRedirectFilter, CURRENT_SCREEN } from './screen-redirect.js';

const SPENT: Record<'USED' | 'EXPIRED', { titleKey: string; textKey: string }> = {
  USED: { titleKey: 'entry.spent.used.title', textKey: 'entry.spent.used.text' },
  EXPIRED: { titleKey: 'entry.spent.expired.title', textKey: 'entry.spent.expired.text' },
};

/**
 * Where the single-use links lead. To open one uses nothing up, so that previews and scanners do no
 * harm; its button does.
 */
@Controller('hosted/start')
@UseFilters(ScreenRedirectFilter)
export class StartController {
  constructor(
    private readonly screens: Screens,
    private readonly entrance: HostedEntrance,
    private readonly browsers: BrowserSessions,
    private readonly signIn: CodeSignIn,
  ) {}

  @Get(':token')
  async show(
    @Param('token') token: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const link = await this.entrance.look(token);
    if (!link) return this.unknown(request, response);
    if (await this.isInside(request, link)) throw new ScreenRedirect(CURRENT_SCREEN);
    if (link.standing !== 'FRESH') {
      response.status(410);
      return this.screens.render(request, response, 'hosted/entry/spent', {
        ...SPENT[link.standing],
        link: token,
      });
    }
    return this.screens.render(request, response, 'hosted/entry/start', {
      titleKey: link.isOver ? 'entry.start.over.title' : 'entry.start.title',
      isOver: link.isOver,
    });
  }

  @Post(':token')
  @CsrfProtected()
  async enter(
    @Param('token') token: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const entered = await this.entrance.enter(token, this.browsers.markOf(request));
    // What became of the link since it was shown is told by its own page.
    if (!entered) throw new ScreenRedirect(request.path);
    this.browsers.give(response, entered.token);
    const address = this.browsers.addressOf(request);
    await this.signIn.send(entered.session, null, this.screens.languageOf(request), address);
    response.redirect(303, '/hosted/code');
  }

  private unknown(request: Request, response: Response): Promise<void> {
    response.status(404);
    return this.screens.render(request, response, 'hosted/entry/link', {
      titleKey: 'entry.unknown.title',
      textKey: 'entry.unknown.text',
      asksForMobile: true,
    });
  }

  /** Whoever came by this link and is still here has pressed the button, or gone Back to it. */
  private async isInside(request: Request, { standing, key }: LinkStanding): Promise<boolean> {
    if (standing === 'FRESH') return false;
    const session = await this.browsers.of(request);
    return session?.journeyId === key.journeyId;
  }
}
