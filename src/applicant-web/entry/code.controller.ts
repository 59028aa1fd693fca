import { Controller, Get, HttpCode, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CodeSignIn, type CodeStanding, type OpenHostedSession } from '../../journeys/index.js';
import {
  CsrfProtected,
  enteredIn,
  FormField,
  formatDateTime,
  type FormError,
  PatternField,
  readForm,
  Screens,
} from '../../platform/index.js';
import { BrowserSessions } from './browser-sessions.js';
import { ScreenRedirect, ScreenRedirectFilter, CURRENT_SCREEN } from './screen-redirect.js';

const HERE = '/hosted/code';

class CodeForm {
  @PatternField(/^\d{6}$/, 'entry.code.malformed')
  @FormField({ as: 'digits', missing: 'entry.code.missing', wrong: 'entry.code.malformed' })
  code: string;
}

/** The sign-in: a code that was sent to the mobile on record. */
@Controller('hosted/code')
@UseFilters(ScreenRedirectFilter)
export class CodeController {
  constructor(
    private readonly screens: Screens,
    private readonly browsers: BrowserSessions,
    private readonly signIn: CodeSignIn,
  ) {}

  @Get()
  async show(@Req() request: Request, @Res() response: Response): Promise<void> {
    const session = await this.unverified(request);
    await this.page(request, response, session);
  }

  @Post()
  @HttpCode(200)
  @CsrfProtected()
  async verify(@Req() request: Request, @Res() response: Response): Promise<void> {
    const form = readForm(request, CodeForm);
    const session = await this.browsers.of(request);
    if (!session) {
      return this.verifyAgain(request, response, form.isValid ? form.value.code : undefined);
    }
    if (session.isVerified) throw new ScreenRedirect(CURRENT_SCREEN);
    if (!form.isValid) return this.page(request, response, session, form.errors);
    const address = this.browsers.addressOf(request);
    const token = await this.signIn.verify(session, form.value.code, address);
    if (token === null) return this.page(request, response, session, []);
    this.enter(response, token);
  }

  @Post('send')
  @CsrfProtected()
  async send(@Req() request: Request, @Res() response: Response): Promise<void> {
    const session = await this.unverified(request);
    const { after = '' } = enteredIn(request);
    const language = this.screens.languageOf(request);
    const address = this.browsers.addressOf(request);
    await this.signIn.send(session, after === '' ? null : after, language, address);
    response.redirect(303, HERE);
  }

  /** "Try again", and the language switch, after a press of that button that was refused. */
  @Get('send')
  sendAgain(@Res() response: Response): void {
    response.redirect(303, HERE);
  }

  /** The right code sent off twice: the first answer may never have reached the browser. */
  private async verifyAgain(
    request: Request,
    response: Response,
    code: string | undefined,
  ): Promise<void> {
    const before = this.browsers.tokenOf(request);
    const address = this.browsers.addressOf(request);
    const token =
      before !== null && code !== undefined
        ? await this.signIn.verifyAgain(before, code, address)
        : null;
    if (token === null) throw new ScreenRedirect('/hosted/link');
    this.enter(response, token);
  }

  private enter(response: Response, token: string): void {
    this.browsers.give(response, token);
    response.redirect(303, CURRENT_SCREEN);
  }

  private async unverified(request: Request): Promise<OpenHostedSession> {
    const session = await this.browsers.of(request);
    if (!session) throw new ScreenRedirect('/hosted/link');
    if (session.isVerified) throw new ScreenRedirect(CURRENT_SCREEN);
    return session;
  }

  /** @param errors of the form; an empty list when a well-formed code was not the right one */
  private async page(
    request: Request,
    response: Response,
    session: OpenHostedSession,
    errors?: readonly FormError[],
  ): Promise<void> {
    const standing = await this.signIn.standing(session, this.browsers.addressOf(request));
    const language = this.screens.languageOf(request);
    const { code, maskedMobile, noCodeUntil, noTryUntil } = standing;
    const isOpen = code?.standing === 'OPEN' && !noTryUntil;
    await this.screens.render(request, response, 'hosted/entry/code', {
      titleKey: titleOf(standing),
      isOpen,
      why: whyNot(standing),
      mobileEnd: maskedMobile?.slice(-4) ?? '',
      newestCode: code?.id ?? '',
      isDelayed: code?.standing === 'OPEN' && !standing.isHandedOver,
      canSend: !noCodeUntil && !noTryUntil && maskedMobile !== null,
      codeAgainAt: noCodeUntil && formatDateTime(language, noCodeUntil),
      tryAgainAt: noTryUntil && formatDateTime(language, noTryUntil),
      languageReturn: HERE,
      ...(errors && isOpen && { errors: errors.length > 0 ? errors : [notIt(code.triesLeft)] }),
    });
  }
}

function notIt(triesLeft: number): FormError {
  return { field: 'code', messageKey: 'entry.code.wrong', values: { count: triesLeft } };
}

function titleOf({ code, noTryUntil }: CodeStanding): string {
  if (noTryUntil) return 'entry.tooMany.title';
  return code?.standing === 'OPEN' ? 'entry.code.title' : 'entry.code.spent.title';
}

/** Why no code can be entered now. */
function whyNot({ code, noTryUntil, maskedMobile }: CodeStanding): string | null {
  if (maskedMobile === null) return 'entry.code.nobody';
  if (noTryUntil) return 'entry.code.locked';
  switch (code?.standing) {
    case undefined:
      return 'entry.code.none';
    case 'EXHAUSTED':
      return 'entry.code.exhausted';
    case 'EXPIRED':
    case 'USED':
      return 'entry.code.expired';
    case 'OPEN':
      return null;
  }
}
