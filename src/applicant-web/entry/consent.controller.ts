import { Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { consentDigest, HostedJourneys, type HostedJourneyView } from '../../journeys/index.js';
import {
  CsrfProtected,
  enteredIn,
  FormField,
  type FormError,
  readForm,
  Rule,
  Screens,
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
  constructor(
    private readonly screens: Screens,
    private readonly hosted: HostedJourneys,
  ) {}

  @Get()
  async show(
    @HostedSession() session: HostedSessionValue,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const view = await this.hosted.read(session);
    requireScreen(view, HERE);
    await this.page(request, response, view, {});
  }

  @Post()
  @HttpCode(200)
  @CsrfProtected()
  async agree(
    @HostedSession() session: HostedSessionValue,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const view = await this.hosted.read(session);
    requireScreen(view, HERE);
    const form = readForm(request, ConsentForm);
    if (!form.isValid) return this.page(request, response, view, { errors: form.errors });
    const language = this.screens.languageOf(request);
    const { shown = '' } = enteredIn(request);
    const recorded = this.hosted.recordConsent(session, language, shown, request.ip ?? 'unknown');
    if (await recorded) {
      response.redirect(303, CURRENT_SCREEN);
      return;
    }
    // Another text is asked for by now: it is read before it is agreed to.
    await this.page(request, response, view, { hasChanged: true });
  }

  private async page(
    request: Request,
    response: Response,
    view: HostedJourneyView,
    more: { errors?: readonly FormError[]; hasChanged?: boolean },
  ): Promise<void> {
    const text = await this.hosted.consentText(view, this.screens.languageOf(request));
    await this.screens.render(request, response, 'hosted/entry/consent', {
      titleKey: 'entry.consent.title',
      question: questionOf(view, 'consent'),
      points: text.points,
      agreement: text.agreement,
      shown: consentDigest(text),
      ...more,
    });
  }
}
