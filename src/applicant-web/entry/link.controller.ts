import { Controller, Get, Req, UseFilters } from '@nestjs/common';
import type { Request } from 'express';
import { MobileField } from '../../applicants/index.js';
import {
  ENTRY_LIMITS,
  FreshLinks,
  HostedEntrance,
  HostedSessions,
  type LinkSubject,
} from '../../journeys/index.js';
import {
  AnswersWithScreens,
  enteredIn,
  FormField,
  FormPost,
  languageOf,
  Page,
  readForm,
  sayDateTime,
  type ScreenModel,
  SeeOther,
} from '../../platform/index.js';
import { BrowserSessions } from './browser-sessions.js';
import { CURRENT_SCREEN, ScreenRedirect, ScreenRedirectFilter } from './current-screen.js';

class MobileForm {
  @MobileField()
  @FormField({
    as: 'mobile',
    wrong: 'entry.link.mobile.wrong',
  })
  mobile: string;
}

/** The response does not reveal whether a journey exists. */
@Controller('hosted/link')
@UseFilters(ScreenRedirectFilter)
@AnswersWithScreens()
export class LinkController {
  constructor(
    private readonly browsers: BrowserSessions,
    private readonly sessions: HostedSessions,
    private readonly entrance: HostedEntrance,
    private readonly freshLinks: FreshLinks,
  ) {}

  @Get()
  async show(@Req() request: Request): Promise<Page> {
    if (await this.browsers.of(request)) throw new ScreenRedirect(CURRENT_SCREEN);
    const isKnown = (await this.bySession(request)) !== null;
    return linkPage({ asksForMobile: !isKnown });
  }

  @FormPost()
  async send(@Req() request: Request): Promise<Page | SeeOther> {
    const entered = enteredIn(request);
    if (entered.mobile === undefined) {
      const known =
        entered.link === undefined ? this.bySession(request) : this.byLink(entered.link);
      return this.ask(request, await known);
    }
    const form = readForm(request, MobileForm);
    if (form.isValid) return this.ask(request, { mobile: form.value.mobile });
    return linkPage({
      asksForMobile: true,
      errors: form.errors,
      entered: form.entered,
    });
  }

  @Get('sent')
  sent(): Page {
    return new Page('entry/link-sent', {
      titleKey: 'entry.sent.title',
      limits: ENTRY_LIMITS,
    });
  }

  private async ask(request: Request, subject: LinkSubject | null): Promise<Page | SeeOther> {
    const language = languageOf(request);
    const address = this.browsers.addressOf(request);
    const until = await this.freshLinks.request(subject, language, address);
    if (!until) return new SeeOther('/hosted/link/sent');
    const model = {
      titleKey: 'common.fault.tooMany.title',
      textKey: 'entry.tooMany.text',
      when: sayDateTime(until),
      languageReturn: '/hosted/link',
    };
    return new Page('entry/too-many', model, 429);
  }

  private async bySession(request: Request): Promise<LinkSubject | null> {
    const token = this.browsers.tokenOf(request);
    const key = token === null ? null : await this.sessions.ownerOf(token);
    return key && { key };
  }

  private async byLink(link: string): Promise<LinkSubject | null> {
    const known = await this.entrance.stateOf(link);
    return known && { key: known.key };
  }
}

function linkPage(more: ScreenModel): Page {
  return new Page('entry/link', {
    titleKey: 'entry.link.title',
    textKey: 'entry.link.text',
    limits: ENTRY_LIMITS,
    ...more,
  });
}
