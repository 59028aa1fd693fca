import { Controller, Get, Req, Res, UseFilters } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  CodeSignIn,
  type CodeState,
  ENTRY_LIMITS,
  type OpenHostedSession,
} from '../../journeys/index.js';
import {
  AnswersWithScreens,
  enteredIn,
  type FormError,
  FormField,
  FormPost,
  type Language,
  Page,
  PageLanguage,
  PatternField,
  readForm,
  say,
  sayDateTime,
  SeeOther,
} from '../../platform/index.js';
import { BrowserSessions } from './browser-sessions.js';
import {
  CURRENT_SCREEN,
  ScreenRedirect,
  ScreenRedirectFilter,
  TO_CURRENT_SCREEN,
} from './current-screen.js';

const HERE = '/hosted/code';

class CodeForm {
  @PatternField(/^\d{6}$/, 'entry.code.malformed')
  @FormField({ as: 'digits', wrong: 'entry.code.malformed' })
  code: string;
}

@Controller('hosted/code')
@UseFilters(ScreenRedirectFilter)
@AnswersWithScreens()
export class CodeController {
  constructor(
    private readonly browsers: BrowserSessions,
    private readonly signIn: CodeSignIn,
  ) {}

  @Get()
  async show(@Req() request: Request): Promise<Page> {
    return this.page(request, await this.unverified(request));
  }

  @FormPost()
  async verify(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Page | SeeOther> {
    const form = readForm(request, CodeForm);
    const session = await this.browsers.of(request);
    if (!session) {
      return this.verifyAgain(request, response, form.isValid ? form.value.code : undefined);
    }
    if (session.isVerified) throw new ScreenRedirect(CURRENT_SCREEN);
    if (!form.isValid) return this.page(request, session, form.errors);
    const address = this.browsers.addressOf(request);
    const token = await this.signIn.verify(session, form.value.code, address);
    if (token === null) return this.page(request, session, []);
    return this.enter(response, token);
  }

  @FormPost('send')
  async send(@PageLanguage() language: Language, @Req() request: Request): Promise<SeeOther> {
    const session = await this.unverified(request);
    const { after = '' } = enteredIn(request);
    const address = this.browsers.addressOf(request);
    await this.signIn.send(session, after === '' ? null : after, language, address);
    return new SeeOther(HERE);
  }

  /** For a reload or the language switch after a refused "send". */
  @Get('send')
  sendAgain(): SeeOther {
    return new SeeOther(HERE);
  }

  /** The right code sent twice: the first response may never have reached the browser. */
  private async verifyAgain(
    request: Request,
    response: Response,
    code: string | undefined,
  ): Promise<SeeOther> {
    const before = this.browsers.tokenOf(request);
    const address = this.browsers.addressOf(request);
    const token =
      before !== null && code !== undefined
        ? await this.signIn.verifyAgain(before, code, address)
        : null;
    if (token === null) throw new ScreenRedirect('/hosted/link');
    return this.enter(response, token);
  }

  private enter(response: Response, token: string): SeeOther {
    this.browsers.give(response, token);
    return TO_CURRENT_SCREEN;
  }

  private async unverified(request: Request): Promise<OpenHostedSession> {
    const session = await this.browsers.of(request);
    if (!session) throw new ScreenRedirect('/hosted/link');
    if (session.isVerified) throw new ScreenRedirect(CURRENT_SCREEN);
    return session;
  }

  /** @param errors empty when a well-formed code was wrong */
  private async page(
    request: Request,
    session: OpenHostedSession,
    errors?: readonly FormError[],
  ): Promise<Page> {
    const state = await this.signIn.stateOf(session, this.browsers.addressOf(request));
    const { code, maskedMobile, noCodeUntil, noTryUntil } = state;
    const isOpen = code?.status === 'OPEN' && !noTryUntil;
    return new Page('entry/code', {
      titleKey: titleOf(state),
      isOpen,
      why: whyNot(state),
      hint: say('entry.code.hint', { minutes: ENTRY_LIMITS.codeMinutes }),
      codeTries: ENTRY_LIMITS.codeTries,
      mobileEnd: maskedMobile?.slice(-4) ?? '',
      newestCode: code?.id ?? '',
      isDelayed: code?.status === 'OPEN' && !state.isHandedOver,
      canSend: !noCodeUntil && !noTryUntil && maskedMobile !== null,
      codeAgainAt: noCodeUntil && sayDateTime(noCodeUntil),
      tryAgainAt: noTryUntil && sayDateTime(noTryUntil),
      languageReturn: HERE,
      ...(errors && isOpen && { errors: errors.length > 0 ? errors : [notIt(code.triesLeft)] }),
    });
  }
}

function notIt(triesLeft: number): FormError {
  return { field: 'code', messageKey: 'entry.code.wrong', values: { count: triesLeft } };
}

function titleOf({ code, noTryUntil }: CodeState): string {
  if (noTryUntil) return 'common.fault.tooMany.title';
  return code?.status === 'OPEN' ? 'entry.code.title' : 'entry.code.spent';
}

function whyNot({ code, noTryUntil, maskedMobile }: CodeState): string | null {
  if (maskedMobile === null) return 'entry.code.erased';
  if (noTryUntil) return 'entry.tooMany.text';
  switch (code?.status) {
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
