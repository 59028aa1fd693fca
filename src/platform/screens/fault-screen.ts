import { Injectable, Logger } from '@nestjs/common';
import type { Response } from 'express';
import { Clock } from '../clock/clock.js';
import { type Environment, InjectEnvironment } from '../config/environment.js';
import type { ErrorCode } from '../errors/error-catalogue.js';
import type { Fault } from '../errors/fault.js';
import type { RawRequest } from '../http/partner-routes.js';
import { logFailure } from '../logging/log-failure.js';
import { Screens } from './screens.js';

interface FaultTexts {
  readonly title: string;
  readonly text: string;
  readonly canRetry: boolean;
}

const OTHER: FaultTexts = {
  title: 'common.fault.other.title',
  text: 'common.fault.later',
  canRetry: true,
};
const REQUEST: FaultTexts = {
  title: 'common.fault.request.title',
  text: 'common.fault.request.text',
  canRetry: false,
};
const AWAY: FaultTexts = {
  title: 'common.fault.away.title',
  text: 'common.fault.later',
  canRetry: true,
};
const MOVED: FaultTexts = {
  title: 'common.fault.moved.title',
  text: 'common.fault.moved.text',
  canRetry: true,
};

const TEXTS: Partial<Record<ErrorCode, FaultTexts>> = {
  route_not_found: {
    title: 'common.fault.notFound.title',
    text: 'common.fault.link.text',
    canRetry: false,
  },
  link_not_found: {
    title: 'common.fault.link.title',
    text: 'common.fault.link.text',
    canRetry: false,
  },
  form_expired: {
    title: 'common.fault.formExpired.title',
    text: 'common.fault.formExpired.text',
    canRetry: true,
  },
  rate_limited: {
    title: 'common.fault.tooMany.title',
    text: 'common.fault.later',
    canRetry: true,
  },
  wrong_step: MOVED,
  action_in_flight: MOVED,
  offer_expired: MOVED,
  return_already_seen: MOVED,
  malformed_request: REQUEST,
  body_too_large: REQUEST,
  lender_unavailable: AWAY,
  service_unavailable: AWAY,
};

/** For a limit of an hour: shows the end time and no button. */
const TOO_MANY_FOR_LONG: FaultTexts = {
  title: 'common.fault.tooMany.title',
  text: 'common.fault.tooMany.when',
  canRetry: true,
};
const LONG_SECONDS = 90;
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

function textsOf({ code, retryAfterSeconds = 0 }: Fault): FaultTexts {
  if (code === 'rate_limited' && retryAfterSeconds > LONG_SECONDS) return TOO_MANY_FOR_LONG;
  return TEXTS[code] ?? OTHER;
}

/** Needs nothing that may have failed. */
@Injectable()
export class FaultScreen {
  private readonly logger = new Logger(FaultScreen.name);

  constructor(
    private readonly screens: Screens,
    private readonly clock: Clock,
    @InjectEnvironment private readonly environment: Environment,
  ) {}

  async show(fault: Fault, request: RawRequest, response: Response): Promise<void> {
    try {
      if (this.lacksCookies(fault, request)) await this.showCookiesOff(request, response);
      else await this.showFault(fault, request, response);
    } catch (error) {
      logFailure(this.logger, error, { requestId: request.requestId });
      if (!response.headersSent)
        response.type('text').send(`${fault.message} (${request.requestId})`);
    }
  }

  /** A form from another site lacks the cookies, too. */
  private lacksCookies({ code }: Fault, { headers }: RawRequest): boolean {
    const isForeign = headers['sec-fetch-site'] === 'cross-site';
    return code === 'form_expired' && !isForeign && headers.cookie === undefined;
  }

  private showCookiesOff(request: RawRequest, response: Response): Promise<void> {
    const path = ownPath(request);
    return this.screens.render(request, response, 'entry/cookies-off', {
      titleKey: 'common.cookies.title',
      scripts: ['copy-link.js'],
      link: this.environment.baseUrl + path,
      retryHref: path,
      languageReturn: request.path,
    });
  }

  private async showFault(fault: Fault, request: RawRequest, response: Response): Promise<void> {
    const texts = textsOf(fault);
    const { title, text, canRetry } = texts;
    const waitMs = (fault.retryAfterSeconds ?? 0) * SECOND_MS;
    await this.screens.render(request, response, 'entry/fault', {
      titleKey: title,
      textKey: text,
      ...(texts === TOO_MANY_FOR_LONG && {
        retryAt: new Date(Math.ceil((this.clock.now().getTime() + waitMs) / MINUTE_MS) * MINUTE_MS),
      }),
      requestId: request.requestId,
      ...(canRetry && { retryHref: ownPath(request) }),
      // After a failed POST, the language switch opens the address with GET.
      languageReturn: request.path,
    });
  }
}

/** As a link, `//elsewhere.example` is another host. */
function ownPath({ path }: RawRequest): string {
  return path.replace(/^\/+/, '/');
}
