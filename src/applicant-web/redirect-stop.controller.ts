import { Controller, Get, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { PagePartners } from '../auth/index.js';
import { type LinkRefusal, LinkRefusalService, OpenRedirectService } from '../journeys/index.js';
import {
  AnswersWithScreens,
  CsrfProtected,
  type Language,
  nameOnPages,
  Page,
  PageLanguage,
  SeeOther,
} from '../platform/index.js';
import { stopPath, visitPath } from './acknowledgement-page.js';
import { stopRows } from './entry/left-behind.js';
import { stoppedPage } from './entry/stopped-page.js';
import { goldLeft } from './steps/gold-left.js';

/** Stopping, for applicants without hosted pages. */
@Controller('r/:token/stop')
@AnswersWithScreens()
export class RedirectStopController {
  constructor(
    private readonly refusals: LinkRefusalService,
    private readonly redirects: OpenRedirectService,
    private readonly partners: PagePartners,
  ) {}

  @Get()
  async show(
    @Param('token') token: string,
    @PageLanguage() language: Language,
    @Req() request: Request,
  ): Promise<Page | SeeOther> {
    this.namePartner(request, token);
    return answerOf(await this.refusals.read(token), token, language);
  }

  @Post()
  @CsrfProtected()
  async stop(@Param('token') token: string, @Req() request: Request): Promise<SeeOther> {
    this.namePartner(request, token);
    await this.refusals.stop(token);
    return new SeeOther(stopPath(token));
  }

  private namePartner(request: Request, token: string): void {
    nameOnPages(request, async () => {
      const partnerId = await this.redirects.partnerOf(token);
      return partnerId ? this.partners.of(partnerId) : null;
    });
  }
}

function answerOf(refusal: LinkRefusal, token: string, language: Language): Page | SeeOther {
  if (refusal.kind === 'PAST') return new SeeOther(visitPath(token));
  const { valuations, mandates } = refusal;
  const left = { ...goldLeft(valuations, language), mandates };
  if (refusal.kind === 'STOPPED')
    return stoppedPage('stopped', refusal.returnUrl, left, true, language);
  return new Page('entry/stop', {
    titleKey: 'entry.stop.title',
    rows: stopRows(left, true, language),
    mandates,
    keepHref: visitPath(token),
  });
}
