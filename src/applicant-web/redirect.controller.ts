import { Controller, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { PagePartners } from '../auth/index.js';
import { OpenRedirectService, type RedirectVisit } from '../journeys/index.js';
import {
  AnswersWithScreens,
  CsrfProtected,
  enteredIn,
  type Language,
  LeaveTo,
  nameOnPages,
  Page,
  PageLanguage,
  readForm,
  SeeOther,
} from '../platform/index.js';
import { acknowledgementPage, visitPath } from './acknowledgement-page.js';
import { ReadKeyFactsForm } from './steps/read-key-facts-form.js';

const RELOAD_SECONDS = 3;

/** Stable links to the providers' pages. */
@Controller()
@AnswersWithScreens()
export class RedirectController {
  constructor(
    private readonly redirects: OpenRedirectService,
    private readonly partners: PagePartners,
  ) {}

  /** Redirects to the provider. The first visit shows the statement if it was not acknowledged. */
  @Get('r/:token')
  async visit(
    @Param('token') token: string,
    @PageLanguage() language: Language,
    @Req() request: Request,
  ): Promise<Page | SeeOther> {
    this.namePartner(request, token);
    const visit = await this.redirects.visit(token);
    if (visit.kind === 'WAIT') return waitPage(token);
    if (visit.kind !== 'UNACKNOWLEDGED') return new SeeOther(addressAfter(visit));
    return acknowledgementPage(token, visit.terms, language);
  }

  /** For a reload of the page after a rejected form. */
  @Get('r/:token/acknowledgement')
  back(@Param('token') token: string): SeeOther {
    return new SeeOther(visitPath(token));
  }

  /** Acknowledges only the statement whose hash the form has. */
  @Post('r/:token/acknowledgement')
  @CsrfProtected()
  @HttpCode(200)
  async acknowledge(
    @Param('token') token: string,
    @PageLanguage() language: Language,
    @Req() request: Request,
  ): Promise<Page | LeaveTo> {
    this.namePartner(request, token);
    const form = readForm(request, ReadKeyFactsForm);
    const { keyFactsHash = '' } = enteredIn(request);
    const visit = form.isValid
      ? await this.redirects.acknowledge(token, keyFactsHash, language)
      : await this.redirects.visit(token);
    if (visit.kind === 'WAIT') return waitPage(token);
    if (visit.kind !== 'UNACKNOWLEDGED') return leaveAfter(visit);
    const again = form.isValid ? { hasChanged: true } : { errors: form.errors };
    return acknowledgementPage(token, visit.terms, language, again);
  }

  @Get('returned')
  returned(): Page {
    return new Page('entry/returned', { titleKey: 'common.returned.title' });
  }

  /** On errors too, such as an unreachable lender. */
  private namePartner(request: Request, token: string): void {
    nameOnPages(request, async () => {
      const partnerId = await this.redirects.partnerOf(token);
      return partnerId === null ? null : this.partners.of(partnerId);
    });
  }
}

type Onward = Exclude<RedirectVisit, { kind: 'UNACKNOWLEDGED' | 'WAIT' }>;

/** Reloads until there is a session or an error. */
function waitPage(token: string): Page {
  const retryHref = visitPath(token);
  return new Page('entry/opening', {
    titleKey: 'entry.moment.title',
    languageReturn: retryHref,
    retryHref,
    reloadSeconds: RELOAD_SECONDS,
  });
}

function addressAfter(visit: Onward): string {
  return visit.kind === 'PROVIDER' ? visit.url : visit.returnUrl;
}

function leaveAfter(visit: Onward): LeaveTo {
  const url = addressAfter(visit);
  return new LeaveTo(url, new URL(url).hostname);
}
