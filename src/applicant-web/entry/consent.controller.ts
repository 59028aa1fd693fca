import { Controller, Get, HttpCode, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { consentDigest, HostedJourneys, type HostedJourneyView } from '../../journeys/index.js';
import {
  CsrfProtected,
  FormField,
  type Entered,
  type FormError,
  type Language,
  Page,
  PageLanguage,
  readForm,
  Rule,
  SeeOther,
} from '../../platform/index.js';
import { CURRENT_SCREEN } from './screen-redirect.js';
import { questionOf } from '../question-count.js';
import { requireScreen } from './current-screen.js';
import { HostedSession, type HostedSessionValue, SignedIn } from './signed-in.js';

const HERE = '/hosted/consent';

class ConsentForm {
  @Rule('ticked', (value) => value === true, 'entry.consent.missing')
  @FormField({ as: 'checkbox', wrong: 'entry.consent.missing' })
  agree: boolean;
}

/** What the applicant allows us and the lenders to do, before anybody does it. */
@Controller('hosted/consent')
@SignedIn()
export class ConsentController {
  constructor(private readonly hosted: HostedJourneys) {}

  @Get()
  async show(
    @HostedSession() session: HostedSessionValue,
    @PageLanguage() language: Language,
  ): Promise<Page> {
    const view = await this.hosted.read(session);
    requireScreen(view, HERE);
    return this.page(view, language, {});
  }

  @Post()
  @HttpCode(200)
  @CsrfProtected()
  async agree(
    @HostedSession() session: HostedSessionValue,
    @PageLanguage() language: Language,
    @Req() request: Request,
  ): Promise<Page | SeeOther> {
    const view = await this.hosted.read(session);
    requireScreen(view, HERE);
    const form = readForm(request, ConsentForm);
    const { errors, entered } = form;
    if (!form.isValid) return this.page(view, language, { errors, entered });
    const isRecorded = await this.hosted.recordConsent(session, {
      language,
      shown: entered.shown ?? '',
      // Nothing but the box of the page is a yes.
      mayCall: entered.calls === '1',
      clientAddress: request.ip ?? 'unknown',
    });
    if (isRecorded) return new SeeOther(CURRENT_SCREEN);
    // Another text is asked for by now: it is read before it is agreed to.
    return this.page(view, language, { hasChanged: true });
  }

  private async page(
    view: HostedJourneyView,
    language: Language,
    more: { errors?: readonly FormError[]; entered?: Entered; hasChanged?: boolean },
  ): Promise<Page> {
    const text = await this.hosted.consentText(view, language);
    return new Page('hosted/entry/consent', {
      titleKey: 'entry.consent.title',
      question: questionOf(view, 'consent'),
      parts: text.parts,
      agreement: text.agreement,
      calls: text.calls,
      shown: consentDigest(text),
      ...more,
    });
  }
}
