import { Controller, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AnswersWithScreens, SeeOther } from './screen.interceptor.js';
import { isLanguage, LANGUAGE_COOKIE } from './language.js';
import { enteredIn } from './read-form.js';

const YEAR_MS = 365 * 24 * 3_600 * 1_000;
const ANY_ORIGIN = 'http://here.invalid';

/** Needs no CSRF token: a forged request only changes the language. */
@Controller('language')
@AnswersWithScreens()
export class LanguageController {
  @Post()
  choose(@Req() request: Request, @Res({ passthrough: true }) response: Response): SeeOther {
    const { lang, back } = enteredIn(request);
    if (isLanguage(lang)) {
      response.cookie(LANGUAGE_COOKIE, lang, {
        maxAge: YEAR_MS,
        sameSite: 'lax',
        path: '/',
        httpOnly: true,
        secure: request.secure,
      });
    }
    return new SeeOther(ownPath(back));
  }
}

/** Prevents open redirects. */
function ownPath(back: string | undefined): string {
  const url = URL.parse(back ?? '/', ANY_ORIGIN);
  if (!url || url.origin !== ANY_ORIGIN || !back?.startsWith('/')) return '/';
  // `/.//elsewhere.example` becomes `//elsewhere.example`, another host.
  return url.pathname.replace(/^\/+/, '/') + url.search;
}
