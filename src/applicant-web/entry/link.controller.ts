import { Controller, Get, HttpCode, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { Request, Response } from 'express';
import { MobileField } from '../../applicants/index.js';
import {
  FreshLinks,
  HostedEntrance,
  HostedSessions,
  type LinkSubject,
} from '../../journeys/index.js';
import {
  CsrfProtected,
  enteredIn,
  FormField,
  formatDateTime,
  readForm,
  Screens,
} from '../../platform/index.js';
import { BrowserSessions } from './browser-sessions.js';
import { ScreenRedirect, ScreenRedirectFilter, CURRENT_SCREEN } from './screen-redirect.js';

class MobileForm {
  @MobileField()
  @FormField({
    as: 'digits',
    missing: 'entry.link.mobile.missing',
    wrong: 'entry.link.mobile.wrong',
  })
  mobile: string;
}

/**
 * Asking for a fresh link: by an earlier link, by an earlier session, or by the mobile number. The
 * answer is the same whether there is a journey or not.
 */
@Controller('hosted/link')
@UseFilters(ScreenRedirectFilter)
export class LinkController {
  constructor(
    private readonly screens: Screens,
    private readonly browsers: BrowserSessions,
    private readonly sessions: HostedSessions,
    private readonly entrance: HostedEntrance,
    private readonly freshLinks: FreshLinks,
  ) {}

  @Get()
  async show(@Req() request: Request, @Res() response: Response): Promise<void> {
    if (await this.browsers.of(request)) throw new ScreenRedirect(CURRENT_SCREEN);
    const isKnown = (await this.bySession(request)) !== null;
    await this.form(request, response, { asksForMobile: !isKnown });
  }

  @Post()
  @HttpCode(200)
  @CsrfProtected()
  async send(@Req() request: Request, @Res() response: Response): Promise<void> {
    const entered = enteredIn(request);
    if (entered.mobile === undefined) {
      const known =
        entered.link === undefined ? this.bySession(request) : this.byLink(entered.link);
      return this.ask(request, response, await known);
    }
    const form = readForm(request, MobileForm);
    if (form.isValid) return this.ask(request, response, { mobile: form.value.mobile });
    return this.form(request, response, {
      asksForMobile: true,
      errors: form.errors,
      entered: form.entered,
    });
  }

  @Get('sent')
  async sent(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.screens.render(request, response, 'hosted/entry/link-sent', {
      titleKey: 'entry.sent.title',
    });
  }

  private async ask(
    request: Request,
    response: Response,
    subject: LinkSubject | null,
  ): Promise<void> {
    const language = this.screens.languageOf(request);
    const address = this.browsers.addressOf(request);
    const until = await this.freshLinks.request(subject, language, address);
    if (!until) {
      response.redirect(303, '/hosted/link/sent');
      return;
    }
    response.status(429);
    await this.screens.render(request, response, 'hosted/entry/too-many', {
      titleKey: 'entry.tooMany.title',
      textKey: 'entry.tooMany.links',
      when: formatDateTime(language, until),
      languageReturn: '/hosted/link',
    });
  }

  private form(request: Request, response: Response, more: object): Promise<void> {
    return this.screens.render(request, response, 'hosted/entry/link', {
      titleKey: 'entry.link.title',
      textKey: 'entry.link.text',
      ...more,
    });
  }

  private async bySession(request: Request): Promise<LinkSubject | null> {
    const token = this.browsers.tokenOf(request);
    const key = token === null ? null : await this.sessions.ownerOf(token);
    return key && { key };
  }

  private async byLink(link: string): Promise<LinkSubject | null> {
    const known = await this.entrance.look(link);
    return known && { key: known.key };
  }
}
