import {
  applyDecorators,
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import type { Request } from 'express';
import type { HostedSessionValue } from '../../journeys/index.js';
import { AnswersWithScreens } from '../../platform/index.js';
import { BrowserSessions } from './browser-sessions.js';
import { ScreenRedirect, ScreenRedirectFilter } from './screen-redirect.js';

export type { HostedSessionValue } from '../../journeys/index.js';

interface SignedInRequest extends Request {
  hostedSession: HostedSessionValue;
}

@Injectable()
export class SignedInGuard implements CanActivate {
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

/** Only the session says whose journey it is; nothing in the address does. */
export const HostedSession = createParamDecorator(
  (_: unknown, context: ExecutionContext): HostedSessionValue =>
    context.switchToHttp().getRequest<SignedInRequest>().hostedSession,
);
