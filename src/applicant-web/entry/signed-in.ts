import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  type PipeTransform,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import type { Request } from 'express';
import {
  HostedReader,
  type HostedJourneyView,
  type HostedSessionValue,
} from '../../journeys/index.js';
import {
  AnswersWithScreens,
  fromRequest,
  type Language,
  languageOf,
} from '../../platform/index.js';
import { BrowserSessions } from './browser-sessions.js';
import { requireScreen, ScreenRedirect, ScreenRedirectFilter } from './current-screen.js';

interface SignedInRequest extends Request {
  hostedSession: HostedSessionValue;
}

@Injectable()
class SignedInGuard implements CanActivate {
  constructor(private readonly browsers: BrowserSessions) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<SignedInRequest>();
    request.hostedSession = await signedInSession(this.browsers, request);
    return true;
  }
}

/** @throws ScreenRedirect to the sign-in */
export async function signedInSession(
  browsers: BrowserSessions,
  request: Request,
): Promise<HostedSessionValue> {
  const session = await browsers.of(request);
  if (!session) throw new ScreenRedirect('/hosted/link');
  if (!session.isVerified) throw new ScreenRedirect('/hosted/code');
  return session;
}

export function SignedIn(): ClassDecorator & MethodDecorator {
  return applyDecorators(
    AnswersWithScreens(),
    UseFilters(ScreenRedirectFilter),
    UseGuards(SignedInGuard),
  );
}

export interface Visit {
  /** Only the session identifies the journey; nothing in the address does. */
  readonly session: HostedSessionValue;
  readonly language: Language;
  readonly request: Request;
}

export const CurrentVisit = fromRequest((request: SignedInRequest): Visit => {
  return { session: request.hostedSession, language: languageOf(request), request };
});

export interface JourneyVisit extends Visit {
  readonly view: HostedJourneyView;
}

@Injectable()
export class ReadJourney implements PipeTransform<Visit, Promise<JourneyVisit>> {
  constructor(private readonly reader: HostedReader) {}

  async transform(visit: Visit): Promise<JourneyVisit> {
    return { ...visit, view: await this.reader.read(visit.session) };
  }
}

class RequireCurrentPage implements PipeTransform<JourneyVisit, JourneyVisit> {
  transform(visit: JourneyVisit): JourneyVisit {
    requireScreen(visit.view, pageOf(visit.request));
    return visit;
  }
}

/** `/hosted/done`, also for `/hosted/done/cannot-pay`. */
function pageOf(request: Request): string {
  const { path } = request.route as { path: string };
  return path.split('/', 3).join('/');
}

/** A visit with its journey, wherever that is. */
export const AnyJourney = () => CurrentVisit(ReadJourney);

/**
 * A visit with its journey, which is at this page.
 * @throws ScreenRedirect to the journey's page when it is at another
 */
export const JourneyHere = () => CurrentVisit(ReadJourney, RequireCurrentPage);

export interface LinkVisit {
  readonly token: string;
  readonly language: Language;
  readonly request: Request;
}

/** For pages behind a link with a `:token`. */
export const CurrentLink = fromRequest((request: Request<{ token: string }>): LinkVisit => {
  return { token: request.params.token, language: languageOf(request), request };
});
